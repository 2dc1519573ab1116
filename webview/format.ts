export * from '../src/core/base/format';
export { visibleLabel, visibleText } from '../src/core/base/visibleText';
