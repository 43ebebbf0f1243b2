"""`python -m cladist` is `cladist`."""

import sys

from .program import main

sys.exit(main())
