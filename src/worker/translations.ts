import { workerData } from 'node:worker_threads';
import { member } from '../core/base/json';
import { setTranslations } from '../core/base/translate';

const start: unknown = workerData;
setTranslations(member(start, 'translations'));
