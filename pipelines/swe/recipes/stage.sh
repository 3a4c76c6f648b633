# Everything in the archive becomes the base commit, whatever the repository ignores or converts.
git init -q -b main --template= .
git config user.name base
git config user.email base@localhost
git config gc.auto 0
# Handing the files over and packing them into layers changes their inode times, not their content.
git config core.checkStat minimal
git config core.trustctime false
mkdir -p .git/info
echo '* -text -ident -filter -working-tree-encoding' >.git/info/attributes
git add --all --force .
