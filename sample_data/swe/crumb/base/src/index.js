export { compile } from './compile.js'
export { build } from './build.js'
