"""Evidence-first finance: tools are run over files, and questions are asked that their traces answer."""
