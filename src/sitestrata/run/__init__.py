"""The plan, the workspace and the engines that run the one in the other."""
