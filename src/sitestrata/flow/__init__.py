"""The logical website around a page: flow from seed pages, scales, clusters, and crawling page by page."""
