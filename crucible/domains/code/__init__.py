"""What is shared by those who make, judge and export tasks about code: test suites, patches, definitions."""
