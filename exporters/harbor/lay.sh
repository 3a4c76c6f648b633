set -e
git update-index -q --refresh || true
git apply --index --whitespace=nowarn /opt/.base.patch
stamp=$(git log -1 --format=%ad --date=raw)
GIT_AUTHOR_DATE="$stamp" GIT_COMMITTER_DATE="$stamp" git commit -q --amend --no-edit --no-verify --allow-empty
rm -rf .git/logs .git/ORIG_HEAD /opt/.base.patch
git repack -a -d -q
git prune --expire=now
