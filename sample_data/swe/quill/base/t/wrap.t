use strict;
use warnings;
use Test::More;
use Quill qw(wrap);

is wrap('a short text', 40), 'a short text', 'a short text stays on its line';
is wrap("one\n two", 40), 'one two', 'line ends are spaces';
is wrap('aaaa bbbb cccc', 6), "aaaa\nbbbb\ncccc", 'long texts have several lines';

done_testing;
