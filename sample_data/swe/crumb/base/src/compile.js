/** A route that can be matched with paths. */
export function compile (route) {
  const names = []
  const pattern = route
    .split('/')
    .map((part) => {
      if (!part.startsWith(':')) return part
      names.push(part.slice(1))
      return '([^/]+)'
    })
    .join('/')
  const expression = new RegExp(`^${pattern}$`)

  return {
    names,
    match (path) {
      const found = expression.exec(path)
      if (!found) return null
      return Object.fromEntries(names.map((name, place) => [name, found[place + 1]]))
    }
  }
}
