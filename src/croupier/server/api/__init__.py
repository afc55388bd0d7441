"""The API by subject; contracts that others rely on."""
