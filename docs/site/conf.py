"""The documentation as a site: `sphinx-build -E -W -c docs/site . target/site`."""

import re

project = "Cladist"
html_title = "Cladist"
copyright = "The Cladist developers"

extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
include_patterns = ["*.md", "docs/**.md", "python/README.md", "src/verify/fields.md"]
root_doc = "docs/site/index"
# Examples are in languages of this project; fences of the tutorial name files.
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_show_sphinx = False
html_copy_source = False


def anchors(app, page, text):
    """Turns HTML anchors, which other viewers of the pages understand, into targets of links."""
    text[0] = re.sub(r'<a id="([^"]+)"></a>', r"[]{#\1}", text[0])


def setup(app):
    app.connect("source-read", anchors)
