# One commit, and the proof that nothing else is in the history. What the installation left is not part of it; a
# folder that holds nothing else is left out as a whole. What it changed in the repository's own files is undone.
git ls-files --others --directory --no-empty-directory -z | tr '\0' '\n' | sed 's/[][*?\\!#]/\\&/g; s|^|/|' >>.git/info/exclude
git checkout -q -- .
GIT_AUTHOR_DATE=@1704067200+0000 GIT_COMMITTER_DATE=@1704067200+0000 git commit -q --no-verify --allow-empty -m base
rm -rf .git/logs .git/hooks .git/ORIG_HEAD .git/COMMIT_EDITMSG
git gc -q --prune=now
test "$(git rev-list --all --reflog --count)" = 1
test "$(git for-each-ref --format='%(refname)')" = refs/heads/main
test -z "$(git remote)"
test -z "$(git stash list)"
test -z "$(git fsck --unreachable --no-progress)"
test -z "$(git status --porcelain)"
