"""The people of a house and the house's own record: roles, rights, sign-in, limits, submissions and tables."""
