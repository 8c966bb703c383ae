/** The module that the package serves at /live/uplot.js. */
export { default } from 'uplot';
