# Leaves the patch in $directory/patch and prints what git complained of.
# $directory, $workdir, $base, $objects, $format and $stray_kb are set before this.
# Left out, unless the base has them: what the repository ignores, virtual environments, and files of more than $stray_kb.
mkdir -m 700 -- "$directory" && cd -- "$workdir" || exit 31
ours() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$directory" LC_ALL=C \
        GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1 GIT_NO_REPLACE_OBJECTS=1 \
        GIT_DIR="$directory/git" "$@"
}
tree() {
    ours GIT_WORK_TREE="$workdir" git -c core.excludesFile="$directory/exclude" -c core.hooksPath=/dev/null \
        -c core.fsmonitor= -c core.autocrlf=false -c core.safecrlf=false -c advice.addEmbeddedRepo=false "$@"
}
ours git init -q --bare --template= --object-format="$format" "$directory/git" || exit 32
# The base is copied object by object, each under the name that its content gives it: one that the attempt has written
# over is missing then, and nothing is compared with it.
{ echo "$base" && ours GIT_ALTERNATE_OBJECT_DIRECTORIES="$objects" git rev-list --objects "$base^{tree}"; } |
    ours GIT_ALTERNATE_OBJECT_DIRECTORIES="$objects" git pack-objects -q --stdout |
    ours git index-pack --stdin >/dev/null
ours git rev-list --objects "$base^{tree}" >/dev/null && tree read-tree "$base" || exit 33
cat "${objects%/*}/info/exclude" > "$directory/exclude" 2>/dev/null
tree ls-files -o -z --exclude-standard | sed -z 's|^|./|' | xargs -0 -r sh -c '
    for path; do case $path in ./*/pyvenv.cfg) echo "${path%/*}/" ;; esac; done
    find "$@" -maxdepth 0 -type f -size +'"$stray_kb"'k' sh > "$directory/stray" 2>/dev/null
sed 's/[][*?\\!#]/\\&/g; s|^[.]||' "$directory/stray" >> "$directory/exclude"
tree add -A --ignore-errors . 2> "$directory/complaints"
tree diff --cached --binary --full-index --no-ext-diff --no-textconv --no-color --no-renames \
    --src-prefix=a/ --dst-prefix=b/ --ignore-submodules=none "$base" -- > "$directory/patch" || exit 34
[ ! -s "$directory/stray" ] || { echo left out:; head -c 1000 "$directory/stray"; }
[ ! -s "$directory/complaints" ] || head -c 2000 "$directory/complaints"
