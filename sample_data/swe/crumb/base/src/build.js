/** The path of a route with its parts filled in. */
export function build (route, values = {}) {
  return route
    .split('/')
    .map((part) => {
      if (!part.startsWith(':')) return part
      const name = part.slice(1)
      if (values[name] === undefined) throw new TypeError(`no value for '${name}' in ${route}`)
      return encodeURIComponent(values[name])
    })
    .join('/')
}
