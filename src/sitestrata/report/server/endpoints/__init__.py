"""The HTTP interface: one module a view of the browser, each with a router."""
