# Leaves the patch in $directory/patch and prints what git complained of.
# $directory, $workdir, $base, $objects and $format are set before this.
mkdir -m 700 -- "$directory" && cd -- "$workdir" || exit 31
ours() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$directory" LC_ALL=C \
        GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1 GIT_NO_REPLACE_OBJECTS=1 \
        GIT_DIR="$directory/git" GIT_ALTERNATE_OBJECT_DIRECTORIES="$objects" "$@"
}
tree() {
    ours GIT_WORK_TREE="$workdir" git -c core.excludesFile="$workdir/.git/info/exclude" -c core.hooksPath=/dev/null \
        -c core.fsmonitor= -c core.autocrlf=false -c core.safecrlf=false -c advice.addEmbeddedRepo=false "$@"
}
ours git init -q --bare --template= --object-format="$format" "$directory/git" || exit 32
tree read-tree "$base" || exit 33
tree add -A --ignore-errors . 2> "$directory/complaints"
tree diff --cached --binary --full-index --no-ext-diff --no-textconv --no-color --no-renames \
    --src-prefix=a/ --dst-prefix=b/ --ignore-submodules=none "$base" -- > "$directory/patch" || exit 34
[ ! -s "$directory/complaints" ] || head -c 2000 "$directory/complaints"
