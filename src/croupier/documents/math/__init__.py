"""The math report of a house and its workbook: figures once, then words, tables and sheets made from them."""
