"""How the documentation is built: `make docs`."""

from croupier import __version__

project = "Croupier"
author = "The Croupier authors"
version = release = __version__
extensions = ["myst_parser"]
html_theme = "furo"
html_title = f"Croupier {__version__}"
html_show_copyright = False
myst_heading_anchors = 3
