import { main } from './main';
import { start } from './start';

start(main);
