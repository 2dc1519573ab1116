import { setTranslations } from '../src/core/base/translate';

const written = document.getElementById('root')?.dataset['translations'];
if (written !== undefined) {
  setTranslations(JSON.parse(written));
}
