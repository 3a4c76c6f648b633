# What the grader compares with, out of the agent's reach.
[ -d .git ] || exit 0
cp -R .git /opt/.base.git
chown -R root:root /opt/.base.git
chmod -R go-w /opt/.base.git
