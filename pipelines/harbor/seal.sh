# The workdir becomes the agent's own, and what is in it becomes a commit: an attempt is what changed since.
set -e
command -v git >/dev/null || { apt-get update -q && apt-get install -qy --no-install-recommends git; } || apk add --no-cache git
mkdir -p /solution && chmod 777 /solution
git config --system --add safe.directory '*'
[ -d .git ] || git init -q -b main --template= .
git config user.name base
git config user.email base@localhost
git config gc.auto 0
git config core.checkStat minimal
git config core.trustctime false
git add --all --force .
if ! git rev-parse -q --verify HEAD >/dev/null || ! git diff --cached --quiet; then
    GIT_AUTHOR_DATE=@1704067200+0000 GIT_COMMITTER_DATE=@1704067200+0000 git commit -q --no-verify --allow-empty -m base
fi
chown -R agent .
