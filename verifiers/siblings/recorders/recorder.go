package PACKAGE

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strconv"
	"time"
)

// _noteAnswer appends one note: the test, the place in it, the answer as JSON; null for what is no plain data.
func _noteAnswer[T any](test string, place int, answer T) T {
	_writeNote(test, place, _sayPlain(reflect.ValueOf(&answer).Elem()))
	return answer
}

// _noteRaised notes that a panic left the test.
func _noteRaised(test string, place int) {
	if problem := recover(); problem != nil {
		_writeNote(test, place, "panic")
	}
}

func _writeNote(test string, place int, said string) {
	if len(said) > 5000 {
		said = said[:5000]
	}
	line, _ := json.Marshal([]string{test, fmt.Sprint(place, " ", said)})
	if file, err := os.OpenFile("PLACE", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
		fmt.Fprintln(file, string(line))
		file.Close()
	}
}

func _sayPlain(answer reflect.Value) (said string) {
	defer func() {
		if recover() != nil {
			said = "null"
		}
	}()
	line, _ := json.Marshal(_makePlain(answer, 0))
	return string(line)
}

// _makePlain gives plain data with its type. What is equal becomes the same. Of an error it says that there is one.
func _makePlain(answer reflect.Value, depth int) any {
	if depth > 20 {
		panic("too deep")
	}
	if !answer.IsValid() {
		return "None"
	}
	kind := answer.Kind()
	if answer.CanInterface() {
		switch given := answer.Interface().(type) {
		case time.Time:
			return []any{"time", given.UTC().Format(time.RFC3339Nano)}
		case error:
			if kind != reflect.Ptr || !answer.IsNil() {
				return 1
			}
		}
	}
	switch kind {
	case reflect.Bool:
		if answer.Bool() {
			return 1
		}
		return 0
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return answer.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return answer.Uint()
	case reflect.Float32, reflect.Float64:
		return []any{"float", strconv.FormatFloat(answer.Float(), 'g', 6, 64)}
	case reflect.String:
		return []any{"str", answer.String()}
	case reflect.Interface, reflect.Ptr:
		if answer.IsNil() {
			return "None"
		}
		return _makePlain(answer.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		members := []any{}
		for at := 0; at < answer.Len(); at++ {
			members = append(members, _makePlain(answer.Index(at), depth+1))
		}
		return []any{"list", members}
	case reflect.Map:
		pairs := []string{}
		for _, key := range answer.MapKeys() {
			pair, _ := json.Marshal([]any{_makePlain(key, depth+1), _makePlain(answer.MapIndex(key), depth+1)})
			pairs = append(pairs, string(pair))
		}
		sort.Strings(pairs)
		return []any{"dict", pairs}
	case reflect.Struct:
		fields := []any{}
		for at := 0; at < answer.NumField(); at++ {
			if answer.Type().Field(at).PkgPath == "" {
				fields = append(fields, []any{answer.Type().Field(at).Name, _makePlain(answer.Field(at), depth+1)})
			}
		}
		return []any{"struct", fields}
	}
	panic(kind)
}
