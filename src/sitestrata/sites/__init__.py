"""Which pages form one website, and how that site is organised."""
