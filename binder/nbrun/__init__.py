"""Executes memlab's notebooks in their real kernel and holds them to their committed outputs.

The modules, from the file up: notebook (read, normalise, write), outputs (compare), figure (are the pictures whole),
kernel (execute), rules (what fails a cell), twins (English and Chinese code), work (check and update one notebook).
The command line is notebooks.py beside this folder.
"""
