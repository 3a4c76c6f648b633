use strict;
use warnings;
use Test::More;
use Quill qw(indent);

is indent("a\nb", 2), "  a\n  b", 'all lines are moved';
is indent("a\n\nb\n", 2), "  a\n\n  b\n", 'empty lines stay empty';

done_testing;
