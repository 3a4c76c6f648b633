"""Who judges office work: workbooks, decks, tables rebuilt, answers to questions."""
