export { listed } from './language.js'
export { figure, percentage } from './numbers.js'
