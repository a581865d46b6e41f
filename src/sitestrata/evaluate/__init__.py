"""Gold and an answer -> scores: every metric, the gold formats, the baselines, and the floors that scores must keep."""
