----------------------------- MODULE FairPrinter -----------------------------
\* A printer that serves everybody who waits again and again.
EXTENDS Printer
=============================================================================
