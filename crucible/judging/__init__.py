"""From attempts to verdicts, from verdicts to what is accepted and selected; and the proof that a task is sound."""
