package Quill;

use strict;
use warnings;
use Exporter 'import';

our $VERSION   = '0.02';
our @EXPORT_OK = qw(wrap indent);

# The text in lines of at most so many characters. A word that is longer has a line of its own.
sub wrap {
    my ($text, $width) = @_;
    my @lines = ('');
    for my $word (split /\s+/, $text) {
        if (length($lines[-1]) + length($word) > $width) {
            push @lines, $word;
        }
        else {
            $lines[-1] .= length $lines[-1] ? " $word" : $word;
        }
    }
    return join "\n", @lines;
}

# Every line that is not empty, moved to the right.
sub indent {
    my ($text, $by) = @_;
    my $space = ' ' x $by;
    return join "\n", map { length ? "$space$_" : $_ } split /\n/, $text, -1;
}

1;
