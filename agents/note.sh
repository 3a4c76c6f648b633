# The work tree, the commit it stands at, and where its objects are: one line each.
unset $(env | sed -n 's/^\(GIT_[A-Za-z0-9_]*\)=.*/\1/p')
export GIT_DIR=.git GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
pwd -P && found=$(git rev-parse 'HEAD^{commit}' --git-path objects) && echo "${found%%
*}" && cd "${found#*
}" && pwd -P
