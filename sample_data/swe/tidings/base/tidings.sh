#!/bin/sh
# The news in a folder of notes, the newest first: one line with the date and the heading of each.
set -eu

folder=${1:?the folder with the notes}

for note in $(ls -r "$folder"); do
    case $note in
    [0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]-*.txt) ;;
    *) continue ;;
    esac
    date=$(echo "$note" | cut -c 1-10)
    heading=$(head -n 1 "$folder/$note")
    echo "$date  $heading"
done
