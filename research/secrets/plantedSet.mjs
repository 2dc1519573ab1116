// Prints 300 planted secrets and 100 harmless look-alikes as JSON lines.
// Usage: node generate.mjs --seed N
import { crc32 } from 'node:zlib';

// ---------------------------------------------------------------- random values

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const HEX = '0123456789abcdef';
const BASE62 = DIGITS + UPPER + LOWER;
const URLSAFE = BASE62 + '-_';
const BASE32 = UPPER + '234567';
const BECH32 = 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L';

const WORDS = (
  'anchor barrel candle dragon ember falcon garden harbor island jungle kettle lantern marble needle orange ' +
  'pepper quartz ribbon saddle timber umbrella velvet walnut yellow zephyr copper battery staple horse monkey planet ' +
  'rocket silver thunder winter coffee pickle button magnet puzzle shadow tiger bridge castle forest'
).split(' ');
const GERMAN =
  'Sommer Winter Herbst Schnecke Hamburg Regenbogen Kaffee Fahrrad Bahnhof Passau Gartenzwerg Leuchtturm'.split(
    ' ',
  );
const NAMES =
  'Martin Sabine Claudia Stefan Olivia Hannah Marco Lucia Pierre Yuki Fatima Andrei Jonas Ingrid Diego'.split(
    ' ',
  );
const LOGINS =
  'jkowalski mbrandt deploy svc_backup reporting lhansen app_rw batch ops ci-runner etl_user tnguyen oshea'.split(
    ' ',
  );
const SYLLABLES = 'kel vor tar bri mo ost zen qua lum dra fel nor pix sto via rin bal cor'.split(' ');
const SERVICES =
  'billing orders ledger catalog shipping inventory gateway notifier search profile invoices crawler'.split(
    ' ',
  );
const TLDS = ['.internal', '.io', '.net', '.de', '.cloud'];

function makeRandom(seed, stream) {
  let a = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)) >>> 0;
  const next = () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = a;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  for (let i = 0; i < 8; i++) {
    next();
  }
  return next;
}

class Gen {
  constructor(seed, stream) {
    this.next = makeRandom(seed, stream);
    this.kept = {};
  }
  // names stay the same within one text
  keep(name, make) {
    this.kept[name] ??= make();
    return this.kept[name];
  }
  int(lo, hi) {
    return lo + Math.floor(this.next() * (hi - lo + 1));
  }
  pick(list) {
    return list[this.int(0, list.length - 1)];
  }
  chars(alphabet, n) {
    let s = '';
    for (let i = 0; i < n; i++) {
      s += alphabet[this.int(0, alphabet.length - 1)];
    }
    return s;
  }
  // a string that is sure to hold digits and letters of both cases
  mixed(alphabet, n) {
    for (;;) {
      const s = this.chars(alphabet, n);
      if (
        /\d/.test(s) &&
        /[a-z]/.test(s) &&
        /[A-Z]/.test(s) &&
        /^[A-Za-z0-9]/.test(s) &&
        /[A-Za-z0-9]$/.test(s)
      ) {
        return s;
      }
    }
  }
  hex(n) {
    return this.chars(HEX, n);
  }
  digits(n) {
    return this.chars('123456789', 1) + this.chars(DIGITS, n - 1);
  }
  b62(n) {
    return n < 3 ? this.chars(BASE62, n) : this.mixed(BASE62, n);
  }
  url(n) {
    return this.mixed(URLSAFE, n);
  }
  bytes(n) {
    return Buffer.from(Array.from({ length: n }, () => this.int(0, 255)));
  }
  b64(n) {
    return this.bytes(n).toString('base64');
  }
  b64url(n) {
    return this.bytes(n).toString('base64url');
  }
  uuid() {
    const h = this.hex(32);
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${this.pick([...'89ab'])}${h.slice(17, 20)}-${h.slice(20)}`;
  }
  word() {
    return this.pick(WORDS);
  }
  Word() {
    return cap(this.word());
  }
  name() {
    return this.pick(NAMES);
  }
  login() {
    return this.keep('login', () => this.pick(LOGINS));
  }
  service() {
    return this.keep('service', () => this.pick(SERVICES));
  }
  company() {
    return this.keep('company', () => this.pick(SYLLABLES) + this.pick(SYLLABLES) + this.pick(SYLLABLES));
  }
  domain() {
    return this.keep('domain', () => this.company() + this.pick(TLDS));
  }
  host() {
    return `${this.pick(['db', 'srv', 'app', 'node', 'prod', 'int'])}${this.int(1, 40)}.${this.domain()}`;
  }
  ip() {
    return `10.${this.int(0, 250)}.${this.int(0, 250)}.${this.int(2, 250)}`;
  }
  year() {
    return this.int(2017, 2025);
  }
  date() {
    return `${this.int(2023, 2025)}-${pad(this.int(1, 12))}-${pad(this.int(1, 28))}`;
  }
  time() {
    return `${pad(this.int(0, 23))}:${pad(this.int(0, 59))}:${pad(this.int(0, 59))}`;
  }
  // a password as a person makes it, no blanks
  pw() {
    const inner = () => this.pick([...'!#*+?.-_@%']);
    const last = () => this.pick([...'!#*+']);
    switch (this.int(0, 13)) {
      case 0:
        return this.Word() + inner() + this.year();
      case 1:
        return this.pick(GERMAN) + this.year() + '!';
      case 2:
        return leet(this.Word() + this.word()) + inner() + this.int(10, 99);
      case 3:
        return this.name() + this.int(10, 31) + pad(this.int(1, 12)) + this.int(60, 99) + last();
      case 4:
        return this.Word() + this.Word() + this.int(1, 999) + last();
      case 5:
        return (
          this.pick(['Qwer', 'asdF', 'Yxcv', 'Zxcv']) +
          this.int(1000, 9999) +
          inner() +
          this.word().slice(0, 3)
        );
      case 6:
        return this.word() + '_' + this.word() + this.int(10, 99);
      case 7:
        return (
          this.pick(['P@ssw0rd', 'Passw0rt', 'Adm1n', 'W3lcome']) +
          last() +
          this.year() +
          this.chars(LOWER, 2)
        );
      case 8:
        return this.word() + this.int(100, 99999) + inner() + this.Word();
      case 9:
        return this.word() + this.int(1950, 2009);
      case 10:
        return this.name().toLowerCase() + this.name() + this.int(1, 99);
      case 11:
        return this.mixed(BASE62, 6) + last() + this.chars(LOWER, 2);
      case 12:
        return this.phrase('-', 3);
      default:
        return this.Word().toUpperCase() + inner() + this.word() + inner() + this.int(10, 99);
    }
  }
  phrase(sep = ' ', n = 4) {
    return Array.from({ length: n }, () => this.word()).join(sep);
  }
  // a password as a manager makes it
  strong(n = 20, symbols = '!#%*+-_=?.^~') {
    return this.mixed(BASE62 + symbols.repeat(Math.ceil(10 / symbols.length)), n);
  }
}

function cap(s) {
  return s[0].toUpperCase() + s.slice(1);
}
function pad(n) {
  return String(n).padStart(2, '0');
}
function leet(s) {
  return s.replace(/a/g, '4').replace(/e/g, '3').replace(/o/g, '0');
}
function base(n, radix, width) {
  const alphabet = radix === 62 ? BASE62 : '0123456789abcdefghijklmnopqrstuvwxyz';
  let s = '';
  for (let v = n; v > 0; v = Math.floor(v / radix)) {
    s = alphabet[v % radix] + s;
  }
  return s.padStart(width, '0');
}

// ---------------------------------------------------------------- marks and wrappers

// S() marks the secret inside the text; the marks are removed before printing.
const OPEN = '\uE000';
const CLOSE = '\uE001';
const S = value => OPEN + value + CLOSE;
const markLines = body =>
  body
    .split('\n')
    .map(l => (l.length >= 16 ? S(l) : l))
    .join('\n');

const b64 = text => Buffer.from(text, 'utf8').toString('base64');
const pct = encodeURIComponent;
const xml = s => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
const numbered = text =>
  text
    .split('\n')
    .map((l, i) => `${String(i + 1).padStart(6)}\t${l}`)
    .join('\n');
const arrows = text =>
  text
    .split('\n')
    .map((l, i) => `${String(i + 1).padStart(6)}→${l}`)
    .join('\n');
const indent = (text, n) =>
  text
    .split('\n')
    .map(l => ' '.repeat(n) + l)
    .join('\n');
const diff = (g, file, lines) =>
  `diff --git a/${file} b/${file}\nindex ${g.hex(7)}..${g.hex(7)} 100644\n--- a/${file}\n+++ b/${file}\n@@ -${g.int(1, 90)},4 +${g.int(1, 90)},4 @@\n${lines.join('\n')}`;
const toolResult = (g, text) =>
  JSON.stringify({ type: 'tool_result', tool_use_id: 'toolu_01' + g.b62(22), content: text });
const userTurn = text => JSON.stringify({ role: 'user', content: [{ type: 'text', text }] });
const toolUse = (g, command) =>
  JSON.stringify({ type: 'tool_use', id: 'toolu_01' + g.b62(22), name: 'Bash', input: { command } });

// ---------------------------------------------------------------- token forms

const withCrc62 = (g, prefix) => {
  const body = g.b62(30);
  return prefix + body + base(crc32(body), 62, 6);
};
const github = (g, letter) => withCrc62(g, 'gh' + letter + '_');
const githubFine = g => 'github' + '_pat_' + '11' + g.chars(UPPER + DIGITS, 20) + '_' + g.b62(59);
const npmToken = g => withCrc62(g, 'npm' + '_');
const gitlabOld = (g, prefix = 'gl' + 'pat-') => prefix + g.url(20);
const gitlabRoutable = g => {
  const payload = g.b64url(33);
  const head = `${'gl' + 'pat-'}${payload}.01.${base(payload.length, 36, 2)}`;
  return head + base(crc32(head), 36, 7);
};
const pypi = g => {
  const perm = `[3,"${g.uuid()}"]`;
  const raw = Buffer.concat([
    Buffer.from([2, 1, 8]),
    Buffer.from('pypi.org'),
    Buffer.from([2, 36]),
    Buffer.from(g.uuid()),
    Buffer.from([0, 2, perm.length]),
    Buffer.from(perm),
    Buffer.from([0, 0, 6, 32]),
    g.bytes(32),
  ]);
  return 'py' + 'pi-' + raw.toString('base64url');
};
const slackBot = g => 'xo' + `xb-${g.digits(12)}-${g.digits(13)}-${g.b62(24)}`;
const slackUser = g => 'xo' + `xp-${g.digits(12)}-${g.digits(12)}-${g.digits(13)}-${g.hex(32)}`;
const slackApp = g => 'xa' + `pp-1-A0${g.chars(UPPER + DIGITS, 9)}-${g.digits(13)}-${g.hex(64)}`;
const discordBot = g => `${b64('1' + g.digits(17)).replace(/=/g, '')}.G${g.url(5)}.${g.url(38)}`;
const stripe = (g, kind, n = 99) => `${kind}_` + 'live_' + '51' + g.b62(n - 2);
const sendgrid = g => 'S' + `G.${g.url(22)}.${g.url(43)}`;
const huggingface = g => 'h' + 'f_' + g.mixed(BASE62, 34).replace(/\d/g, () => g.pick([...LOWER]));
const openaiProject = g => 'sk' + '-proj-' + g.url(74) + 'T3Blbk' + 'FJ' + g.url(74);
const openaiOld = g => 'sk' + '-' + g.b62(20) + 'T3Blbk' + 'FJ' + g.b62(20);
const anthropic = (g, sort = 'api03') => 'sk' + '-ant-' + sort + '-' + g.url(93) + 'AA';
const google = g => 'AI' + 'za' + 'Sy' + g.url(33);
const telegram = g => `${g.digits(10)}:AA${g.url(33)}`;
const awsId = (g, prefix = 'AK' + 'IA') => prefix + g.chars(BASE32, 16);
const awsSecret = g => g.mixed(BASE62 + '+/', 40);
const awsSession = g => 'IQoJ' + 'b3JpZ2luX2Vj' + g.b64(360);
const azureStorage = g => g.b64(57) + '+A' + 'St' + g.b62(5) + g.pick([...'AQgw']) + '==';
const azureClient = g => g.b62(3) + g.pick(['7', '8']) + 'Q' + '~' + g.mixed(BASE62 + '-_.~', 34);
const sentryOrg = g =>
  'sn' +
  'trys_' +
  b64(
    `{"iat":17${g.digits(8)}.${g.digits(6)},"url":"https://sentry.io","region_url":"https://us.sentry.io","org":"${g.company()}"}`,
  ) +
  '_' +
  g.mixed(BASE62 + '+/', 43);
const grafana = g => {
  const key = 'gl' + 'sa_' + g.b62(32);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(key));
  return key + '_' + sum.toString('hex');
};
const atlassian = g => {
  const body = 'ATA' + 'TT3xFfGF0' + g.url(171);
  return body + '=' + crc32(body).toString(16).toUpperCase().padStart(8, '0');
};

const jwt = (g, payload, alg = 'HS256') => {
  const head = Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url');
  return `${head}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${g.b64url(alg === 'HS256' ? 32 : 256)}`;
};

// ---------------------------------------------------------------- private keys

const der = (tag, content) => {
  const n = content.length;
  const len = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n & 255];
  return Buffer.concat([Buffer.from([tag, ...len]), content]);
};
const derInt = bytes => der(2, bytes[0] & 128 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
const bigNumber = (g, n) => {
  const b = g.bytes(n);
  b[0] |= 0x80;
  b[n - 1] |= 1;
  return b;
};
const smallNumber = (g, n) => {
  const b = g.bytes(n);
  b[0] = (b[0] & 0x7f) | 1;
  return b;
};
const rsaDer = (g, size = 256) =>
  der(
    0x30,
    Buffer.concat([
      derInt(Buffer.from([0])),
      derInt(bigNumber(g, size)),
      derInt(Buffer.from([1, 0, 1])),
      derInt(smallNumber(g, size)),
      ...[bigNumber, bigNumber, smallNumber, smallNumber, smallNumber].map(make => derInt(make(g, size / 2))),
    ]),
  );
const pkcs8Der = g =>
  der(
    0x30,
    Buffer.concat([
      derInt(Buffer.from([0])),
      Buffer.from('300d06092a864886f70d0101010500', 'hex'),
      der(4, rsaDer(g)),
    ]),
  );
const ecDer = g =>
  der(
    0x30,
    Buffer.concat([
      derInt(Buffer.from([1])),
      der(4, g.bytes(32)),
      Buffer.from('a00a06082a8648ce3d030107', 'hex'),
      Buffer.from('a144034200', 'hex'),
      Buffer.from([4]),
      g.bytes(64),
    ]),
  );
const sshString = b => {
  const n = Buffer.alloc(4);
  n.writeUInt32BE(b.length);
  return Buffer.concat([n, Buffer.from(b)]);
};
const opensshDer = g => {
  const pub = g.bytes(32);
  const check = g.bytes(4);
  const pubBlob = Buffer.concat([sshString('ssh-ed25519'), sshString(pub)]);
  const inner = Buffer.concat([
    check,
    check,
    pubBlob,
    sshString(Buffer.concat([g.bytes(32), pub])),
    sshString('ops@build'),
    Buffer.from([1, 2]),
  ]);
  return Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    sshString('none'),
    sshString('none'),
    sshString(''),
    Buffer.from([0, 0, 0, 1]),
    sshString(pubBlob),
    sshString(inner),
  ]);
};
const fold = (s, n) => s.match(new RegExp(`.{1,${n}}`, 'g')).join('\n');
const body64 = (buf, n = 64) => fold(buf.toString('base64'), n);
const begin = label => '-----' + 'BEGIN ' + label + '-----';
const end = label => '-----' + 'END ' + label + '-----';
const RSA = 'RSA ' + 'PRIVATE KEY';
const PKCS8 = 'PRIVATE' + ' KEY';
const EC = 'EC ' + 'PRIVATE KEY';
const OPENSSH = 'OPENSSH ' + 'PRIVATE KEY';
const pem = (label, body) => `${begin(label)}\n${S(body)}\n${end(label)}`;

// ---------------------------------------------------------------- cases

const cases = [];
const add = (kind, ...makers) => {
  for (const make of makers) {
    cases.push({ kind, make });
  }
};

// ================ named: passwords and keys of unknown providers, known by their names (150)

add(
  'named/env-file',
  g =>
    `$ cat .env\nAPP_ENV=production\nDB_HOST=${g.host()}\nDB_USER=${g.login()}\nDB_PASSWORD=${S(g.pw())}\nLOG_LEVEL=info`,
  g =>
    numbered(
      `# ${g.service()} service\nPORT=8080\nSMTP_HOST=mail.${g.domain()}\nSMTP_USERNAME=no-reply\nSMTP_PASS="${S(g.strong(16))}"`,
    ),
  g => toolResult(g, `NODE_ENV=production\nSESSION_SECRET=${S(g.hex(64))}\nPORT=3000\n`),
  g =>
    `export ${g.company().toUpperCase()}_API_KEY=${S(g.b62(32))}\nexport ${g.company().toUpperCase()}_REGION=eu-central-1`,
  g => `SECRET_KEY_BASE=${S(g.hex(128))}`,
  g => `RAILS_ENV=production\nDATABASE_PASSWORD='${S(g.phrase('-'))}'\nREDIS_URL=redis://localhost:6379/1`,
  g => arrows(`ADMIN_EMAIL=it@${g.domain()}\nADMIN_PW=${S(g.pw())}\nTZ=Europe/Berlin`),
  g =>
    `$ printenv | grep -i ${g.service()}\n${g.service().toUpperCase()}_CLIENT_ID=${g.uuid()}\nOAUTH_CLIENT_SECRET=${S(g.url(40))}`,
  g => `APP_KEY=base64:${S(g.b64(32))}\nAPP_DEBUG=false\nAPP_URL=https://${g.domain()}`,
  g =>
    diff(g, '.env.production', [
      ' LOG_LEVEL=warn',
      `-JWT_SECRET=${S(g.b64(48))}`,
      `+JWT_SECRET=${S(g.b64(48))}`,
      ' PORT=80',
    ]),
  g => `declare -x HOME="/root"\ndeclare -x LDAP_BIND_PASSWORD="${S(g.pw())}"\ndeclare -x LANG="C.UTF-8"`,
  g =>
    `PS C:\\> gci env:\n\nName                           Value\n----                           -----\nCOMPUTERNAME                   BUILD${g.int(10, 99)}\nDEPLOY_PASSWORD                ${S(g.pw())}\nOS                             Windows_NT`,
);

add(
  'named/command-line',
  g =>
    `$ curl -s -u ${g.login()}:${S(g.pw())} https://jenkins.${g.domain()}/job/${g.service()}/lastBuild/api/json`,
  g => `mysql -h ${g.host()} -u root -p${S(g.strong(14, '!_-.'))} -e 'show databases'`,
  g =>
    `mysqldump --single-transaction --user=backup --password='${S(g.pw())}' ${g.service()} | gzip > /backup/${g.service()}.sql.gz`,
  g =>
    toolUse(
      g,
      `sshpass -p '${S(g.strong(16, '$&!@()'))}' ssh -o StrictHostKeyChecking=no root@${g.ip()} uptime`,
    ),
  g =>
    `PGPASSWORD=${S(g.b62(18))} psql -h ${g.host()} -U ${g.login()} -d ${g.service()} -c 'select count(*) from accounts'`,
  g =>
    `ldapsearch -x -H ldap://${g.host()} -D "cn=admin,dc=${g.company()},dc=local" -w ${S(g.pw())} -b "dc=local" "(uid=${g.login()})"`,
  g => `openssl pkcs12 -in server.p12 -nodes -passin pass:${S(g.pw())} -out server.pem`,
  g => `openssl enc -aes-256-cbc -pbkdf2 -in dump.tar -out dump.tar.enc -k "${S(g.phrase(' '))}"`,
  g => `redis-cli -h ${g.ip()} -a ${S(g.b62(24))} --no-auth-warning info replication`,
  g =>
    toolUse(
      g,
      `mongosh "mongodb://${g.host()}:27017/admin" -u ${g.login()} -p ${S(g.strong(15, '-_.'))} --eval "rs.status()"`,
    ),
  g => `smbclient //${g.host()}/share -U '${g.company().toUpperCase()}\\${g.login()}%${S(g.pw())}' -c 'ls'`,
  g =>
    `wget --user=${g.login()} --password=${S(g.pw())} https://files.${g.domain()}/releases/${g.service()}-${g.int(1, 9)}.2.tar.gz`,
  g =>
    `gpg --batch --yes --pinentry-mode loopback --passphrase "${S(g.phrase(' '))}" -o out.sql -d out.sql.gpg`,
  g => `docker login -u ${g.login()} -p ${S(g.strong(18, '-_.'))} registry.${g.domain()}`,
  g => `echo "${S(g.pw())}" | docker login registry.${g.domain()} --username ${g.login()} --password-stdin`,
  g =>
    `helm upgrade --install ${g.service()} ./chart --set image.tag=1.${g.int(2, 40)} --set postgresql.auth.password=${S(g.b62(20))} -n prod`,
  g =>
    `kubectl create secret generic ${g.service()}-db --from-literal=username=app --from-literal=password='${S(g.strong(18, '$&!@()^'))}' -n staging`,
  g =>
    `ansible-playbook -i hosts site.yml -e "ansible_user=${g.login()} ansible_become_password=${S(g.pw())}"`,
  g => `htpasswd -bc /etc/nginx/.htpasswd ${g.login()} ${S(g.pw())}\nAdding password for user ${g.login()}`,
  g => `C:\\> net user ${g.login()} ${S(g.pw())} /add /domain\nThe command completed successfully.`,
  g => `sqlcmd -S tcp:${g.host()},1433 -U sa -P "${S(g.pw())}" -Q "SELECT @@VERSION"`,
  g => `xfreerdp /v:${g.ip()} /u:Administrator /p:'${S(g.pw())}' /cert:ignore /size:1600x900`,
  g => `echo '${S(g.pw())}' | sudo -S systemctl restart ${g.service()}`,
  g => `echo "${g.login()}:${S(g.pw())}" | chpasswd`,
  g => `az login --service-principal -u ${g.uuid()} -p ${S(g.b62(32))} --tenant ${g.uuid()}`,
  g =>
    `keytool -importkeystore -srckeystore old.jks -destkeystore new.p12 -deststoretype PKCS12 -srcstorepass ${S(g.pw())}`,
  g => `rabbitmqctl add_user ${g.login()} ${S(g.strong(16, '-_.'))}\nAdding user "${g.login()}" ...`,
  g => `7z a -p${S(g.pw())} -mhe=on archive.7z ./reports`,
  g => `clickhouse-client --host ${g.host()} --user default --password ${S(g.b62(16))} --query "SELECT 1"`,
  g => `cqlsh ${g.ip()} 9042 -u cassandra -p '${S(g.pw())}' -e "DESCRIBE KEYSPACES"`,
  g =>
    `mosquitto_pub -h mqtt.${g.domain()} -p 8883 -u sensor${g.int(1, 90)} -P ${S(g.pw())} -t home/temp -m 21.5`,
  g => `ipmitool -I lanplus -H ${g.ip()} -U ADMIN -P ${S(g.pw())} chassis power status`,
  g =>
    `mount -t cifs //${g.host()}/data /mnt/data -o username=${g.login()},password=${S(g.strong(14, '-_.'))},vers=3.0`,
  g => `nmcli device wifi connect "Office-${g.int(1, 5)}" password "${S(g.pw())}"`,
  g => `RESTIC_PASSWORD='${S(g.phrase('-', 5))}' restic -r sftp:backup@${g.host()}:/srv/restic snapshots`,
  g =>
    `svn checkout --username ${g.login()} --password ${S(g.pw())} --non-interactive https://svn.${g.domain()}/trunk`,
  g => `lftp -u ${g.login()},${S(g.pw())} sftp://${g.host()} -e "mirror -R dist /www; bye"`,
  g =>
    `oc login https://api.${g.domain()}:6443 -u kubeadmin -p ${S([g.b62(5), g.b62(5), g.b62(5), g.b62(5)].join('-'))}`,
  g =>
    `twine upload -u ${g.login()} -p ${S(g.pw())} --repository-url https://nexus.${g.domain()}/repository/pypi/ dist/*`,
  g => `wp user create editor editor@${g.domain()} --role=editor --user_pass='${S(g.pw())}'`,
);

add(
  'named/prompt',
  g =>
    `$ aws configure\nAWS Access Key ID [None]: ${S(awsId(g))}\nAWS Secret Access Key [None]: ${S(awsSecret(g))}\nDefault region name [None]: eu-west-1\nDefault output format [None]: json`,
  g =>
    `#!/usr/bin/expect -f\nspawn ssh ${g.login()}@${g.ip()}\nexpect "assword:"\nsend "${S(g.pw())}\\r"\nexpect "$ "\nsend "show version\\r"`,
  g =>
    `$ ftp ${g.host()}\nConnected.\nName: ${g.login()}\n331 Please specify the password.\nPassword: ${S(g.pw())}\n230 Login successful.`,
  g => `Enter passphrase for key '/home/${g.login()}/.ssh/id_rsa': ${S(g.phrase(' '))}\nIdentity added.`,
  g =>
    `$ sudo mysql_secure_installation\nNew password: ${S(g.pw())}\n\nRe-enter new password: \nEstimated strength of the password: 100`,
  g =>
    `child = pexpect.spawn('scp build.zip ${g.login()}@${g.host()}:/tmp')\nchild.expect('password:')\nchild.sendline('${S(g.pw())}')`,
);

add(
  'named/yaml',
  g =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${g.service()}\nstringData:\n  username: ${g.login()}\n  password: ${S(g.pw())}`,
  g =>
    `services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_USER: ${g.login()}\n      POSTGRES_PASSWORD: ${S(g.strong(20, '-_.'))}\n    ports:\n      - "5432:5432"`,
  g =>
    `services:\n  mariadb:\n    image: mariadb:11\n    environment:\n      - MARIADB_ROOT_PASSWORD=${S(g.pw())}\n      - MARIADB_DATABASE=${g.service()}`,
  g =>
    numbered(
      `spring:\n  datasource:\n    url: jdbc:postgresql://${g.host()}:5432/${g.service()}\n    username: ${g.login()}\n    password: "${S(g.pw())}"`,
    ),
  g =>
    `deploy:\n  stage: deploy\n  variables:\n    FTP_USER: ${g.login()}\n    FTP_PASSWORD: "${S(g.pw())}"\n  script:\n    - ./deploy.sh`,
  g => `${g.company()}:\n  endpoint: https://api.${g.domain()}\n  apiKey: ${S(g.b62(40))}\n  timeout: 30s`,
  g =>
    `all:\n  hosts:\n    sw1:\n      ansible_host: ${g.ip()}\n      ansible_user: admin\n      ansible_password: ${S(g.pw())}\n      ansible_network_os: ios`,
  g =>
    `global:\n  smtp_from: alert@${g.domain()}\n  smtp_auth_username: alert\n  smtp_auth_password: '${S(g.pw())}'\nroute:\n  receiver: ops`,
  g => `vault:\n  unseal_key: >-\n    ${S(g.b64(33))}\n  threshold: 3`,
  g => `credentials:\n  password: |\n    ${S(g.strong(24))}\n  user: ${g.login()}`,
  g =>
    toolResult(
      g,
      `containers:\n- name: ${g.service()}\n  env:\n  - name: DB_PASSWORD\n    value: ${S(g.pw())}\n  - name: DB_HOST\n    value: ${g.host()}\n`,
    ),
  g =>
    `production:\n  adapter: mysql2\n  encoding: utf8mb4\n  username: ${g.login()}\n  password: ${S(g.pw())}\n  host: ${g.host()}`,
  g =>
    diff(g, 'deploy/values.yaml', [
      ' grafana:',
      '   adminUser: admin',
      `-  adminPassword: ${S(g.pw())}`,
      '+  existingSecret: grafana-admin',
    ]),
);

add(
  'named/json',
  g =>
    toolResult(
      g,
      JSON.stringify(
        { host: g.host(), port: 5432, user: g.login(), password: S(g.strong(16, '!"\\-_')) },
        null,
        2,
      ),
    ),
  g =>
    `POST /v1/session HTTP/1.1\nHost: api.${g.domain()}\nContent-Type: application/json\n\n{"email":"${g.login()}@${g.domain()}","password":"${S(g.pw())}"}`,
  g => `{"clientId":"${g.service()}-web","clientSecret":"${S(g.b62(32))}","realm":"${g.company()}"}`,
  g => JSON.stringify({ id: g.int(1, 999), name: g.service(), api_key: S(g.uuid()), created: g.date() }),
  g =>
    `{\n  "ConnectionSettings": {\n    "Server": "${g.host()}",\n    "UserName": "${g.login()}",\n    "Pwd": "${S(g.pw())}"\n  }\n}`,
  g => `{"access_token":"${S(g.url(64))}","token_type":"bearer","expires_in":3600,"scope":"read write"}`,
  g => `{"refresh_token": "${S(g.url(48))}", "user_id": ${g.int(1000, 99999)}}`,
  g =>
    JSON.stringify({
      cells: [
        {
          cell_type: 'code',
          execution_count: g.int(1, 40),
          outputs: [],
          source: [`api_key = "${S(g.b62(36))}"\n`, `client = ${cap(g.company())}Client(api_key)\n`],
        },
      ],
    }),
  g =>
    JSON.stringify({
      log: {
        entries: [
          {
            request: {
              method: 'POST',
              url: `https://${g.domain()}/login`,
              postData: {
                params: [
                  { name: 'username', value: g.login() },
                  { name: 'password', value: S(g.pw()) },
                ],
              },
            },
          },
        ],
      },
    }),
  g =>
    `{"values":[{"key":"baseUrl","value":"https://${g.domain()}"},{"key":"authToken","value":"${S(g.hex(40))}","type":"secret"}]}`,
);

add(
  'named/source',
  g =>
    `<?php\ndefine('DB_NAME', '${g.service()}');\ndefine('DB_USER', '${g.login()}');\ndefine('DB_PASSWORD', '${S(g.strong(18))}');`,
  g =>
    `<?php\nreturn [\n    'host' => '${g.host()}',\n    'username' => '${g.login()}',\n    'password' => '${S(g.strong(14, '$&"@(){}'))}',\n];`,
  g =>
    numbered(
      `public class Db {\n    private static final String URL = "jdbc:oracle:thin:@${g.host()}:1521/ORCL";\n    private static final String PASSWORD = "${S(g.pw())}";\n}`,
    ),
  g => `Connection c = DriverManager.getConnection(url, "${g.login()}", "${S(g.pw())}");`,
  g =>
    `package config\n\nconst (\n\tBaseURL   = "https://api.${g.domain()}"\n\tAPISecret = "${S(g.b62(40))}"\n)`,
  g => `cfg := ${g.company()}.Config{\n\tUser:     "${g.login()}",\n\tPassword: "${S(g.pw())}",\n}`,
  g =>
    `conn = psycopg2.connect(host="${g.host()}", dbname="${g.service()}", user="${g.login()}", password="${S(g.pw())}")`,
  g =>
    `SECRET_KEY = '${S(g.mixed(BASE62 + '!@#$%^&*(-_=+)', 50))}'\nDEBUG = False\nALLOWED_HOSTS = ['${g.domain()}']`,
  g =>
    `auth = HTTPBasicAuth('${g.login()}', '${S(g.pw())}')\nr = requests.get('https://${g.domain()}/rest/api/2/issue/OPS-${g.int(1, 999)}', auth=auth)`,
  g => `headers = {\n    "X-Api-Key": "${S(g.hex(32))}",\n    "Accept": "application/json",\n}`,
  g => `Devise.setup do |config|\n  config.pepper = '${S(g.hex(128))}'\n  config.stretches = 12\nend`,
  g => `client = ${cap(g.company())}.new(user: '${g.login()}', api_token: '${S(g.b62(28))}')`,
  g =>
    `var credential = new NetworkCredential("${g.login()}", "${S(g.pw())}", "${g.company().toUpperCase()}");`,
  g => `private const string EncryptionKey = "${S(g.b64(32))}";\nprivate const int Iterations = 100000;`,
  g =>
    `const transporter = nodemailer.createTransport({\n  host: 'smtp.${g.domain()}',\n  auth: { user: '${g.login()}', pass: '${S(g.pw())}' },\n});`,
  g => `const signingKey = process.env.SIGNING_KEY || '${S(g.b62(32))}';`,
  g =>
    `await page.fill('#username', '${g.login()}');\nawait page.fill('#password', '${S(g.pw())}');\nawait page.click('button[type=submit]');`,
  g => `let webhook_secret: &str = "${S(g.hex(48))}";`,
  g =>
    `$SecurePassword = ConvertTo-SecureString "${S(g.strong(14, '&!@(){}:'))}" -AsPlainText -Force\n$cred = New-Object PSCredential("${g.login()}", $SecurePassword)`,
  g =>
    diff(g, 'src/config.ts', [
      ' export const config = {',
      `-  mapsToken: '${S(g.url(40))}',`,
      '+  mapsToken: requireEnv("MAPS_TOKEN"),',
      ' };',
    ]),
);

add(
  'named/terraform',
  g =>
    `resource "aws_db_instance" "${g.service()}" {\n  engine   = "postgres"\n  username = "${g.login()}"\n  password = "${S(g.strong(22, '!#-_'))}"\n}`,
  g =>
    `$ cat terraform.tfvars\nregion         = "eu-central-1"\nadmin_password = "${S(g.pw())}"\n${g.company()}_api_token = "${S(g.b62(40))}"`,
  g =>
    toolResult(
      g,
      JSON.stringify({
        version: 4,
        resources: [
          {
            type: 'random_password',
            name: 'db',
            instances: [{ attributes: { length: 24, result: S(g.strong(24)), special: true } }],
          },
        ],
      }),
    ),
);

add(
  'named/properties-ini-toml-xml',
  g =>
    `spring.datasource.username=${g.login()}\nspring.datasource.password=${S(g.pw())}\nspring.jpa.show-sql=false`,
  g =>
    `hibernate.connection.password = ${S(g.strong(16))}\nhibernate.dialect = org.hibernate.dialect.PostgreSQLDialect`,
  g => `[client]\nuser=root\npassword="${S(g.pw())}"\nhost=${g.host()}`,
  g => `[${g.service()}]\nurl = https://${g.domain()}\nauth_key = ${S(g.b62(30))}`,
  g => `[smtp]\nenabled = true\nhost = smtp.${g.domain()}:587\nuser = alerts\npassword = """${S(g.pw())}"""`,
  g => `[registry.auth]\ntoken = "${S(g.url(44))}"\nexpires = ${g.date()}`,
  g =>
    `<Resource name="jdbc/${g.service()}" type="javax.sql.DataSource" username="${g.login()}" password="${S(xml(g.strong(14, '&<!-')))}" maxTotal="20"/>`,
  g =>
    `<server>\n  <id>releases</id>\n  <username>${g.login()}</username>\n  <password>${S(xml(g.pw()))}</password>\n</server>`,
  g => `<add key="SmtpPassword" value="${S(xml(g.pw()))}" />\n<add key="SmtpPort" value="587" />`,
  g =>
    `<bean id="ds" class="org.apache.commons.dbcp2.BasicDataSource">\n  <property name="password" value="${S(xml(g.pw()))}"/>\n</bean>`,
  g => `[${g.company()}-vpn]\nleftid=@office\nauthby=psk\n: PSK "${S(g.b62(32))}"`,
  g => `network={\n\tssid="${g.company()}-guest"\n\tpsk="${S(g.pw())}"\n\tkey_mgmt=WPA-PSK\n}`,
);

add(
  'named/unknown-provider-key',
  g => `curl -H "X-${cap(g.company())}-Token: ${S(g.hex(40))}" https://api.${g.domain()}/v2/devices`,
  g =>
    `> GET /v1/${g.service()} HTTP/2\n> host: api.${g.domain()}\n> authorization: Bearer ${S(g.url(52))}\n> accept: */*\n< HTTP/2 200`,
  g => `curl -X POST "https://api.${g.domain()}/send?apikey=${S(g.b62(32))}&to=ops"`,
  g =>
    `${g.company()} CLI config\n  endpoint   : https://${g.domain()}\n  access key : ${g.chars(UPPER + DIGITS, 20)}\n  secret key : ${S(g.mixed(BASE62 + '+/', 40))}`,
  g => `mc alias set minio https://s3.${g.domain()} ${g.login()} ${S(g.b62(40))}`,
  g =>
    `$ ${g.company()} keys create --name ci\nCreated key ci (id ${g.int(10, 999)}).\nSecret: ${S(g.b62(43))}\nStore it now, it is not shown again.`,
  g => `Authorization: ApiKey ${S(g.b64(42))}`,
  g => `await fetch(url, { headers: { 'x-functions-key': '${S(g.b64url(40) + '==')}' } })`,
  g =>
    userTurn(`use this api key for ${cap(g.company())}: ${S(g.b62(32))} and list all ${g.service()} entries`),
  g =>
    `[${g.date()} ${g.time()}] DEBUG http: request headers={'Api-Token': '${S(g.hex(32))}', 'User-Agent': 'python-requests/2.31'}`,
);

add(
  'named/sql',
  g =>
    `CREATE USER ${g.login().replace(/-/g, '_')} WITH PASSWORD '${S(g.pw())}';\nGRANT SELECT ON ALL TABLES IN SCHEMA public TO reporting_ro;`,
  g => `ALTER USER 'root'@'localhost' IDENTIFIED BY '${S(g.pw())}';\nFLUSH PRIVILEGES;`,
  g =>
    `INSERT INTO \`settings\` (\`id\`, \`name\`, \`value\`) VALUES (${g.int(1, 90)}, 'smtp_host', 'mail.${g.domain()}'), (${g.int(91, 190)}, 'smtp_password', '${S(g.pw())}');`,
  g =>
    `COPY public.users (id, login, password, email) FROM stdin;\n${g.int(1, 99)}\t${g.login()}\t${S(g.pw())}\t${g.login()}@${g.domain()}\n\\.`,
  g => `CREATE LOGIN [${g.login()}] WITH PASSWORD = N'${S(g.pw())}', CHECK_POLICY = OFF;\nGO`,
);

add(
  'named/table',
  g =>
    `host,user,password,note\n${g.host()},${g.login()},${S(g.pw())},rack ${g.int(1, 9)}\n${g.host()},root,${S(g.strong(14, '!-_'))},new`,
  g =>
    `| System | User | Password |\n|--------|------|----------|\n| ${cap(g.service())} | ${g.login()} | ${S(g.pw())} |\n| VPN | ${g.login()} | \`${S(g.pw())}\` |`,
  g => `name;login;passwort;abteilung\n${g.name()};${g.login()};${S(g.pw())};Vertrieb`,
  g => {
    const line = '+------------+----------------------+';
    const secret = g.pw();
    return `mysql> select login, passwd from staff limit 1;\n${line}\n| login      | passwd               |\n${line}\n| ${g.login().padEnd(10)} | ${S(secret)}${' '.repeat(Math.max(0, 20 - secret.length))} |\n${line}\n1 row in set`;
  },
  g => `<tr><th>Password</th><td>${S(xml(g.pw()))}</td></tr>`,
);

add(
  'named/pin-otp-cvv',
  g => {
    const card = '4' + g.digits(15);
    let cvv = g.digits(3);
    while (card.includes(cvv)) {
      cvv = g.digits(3);
    }
    return `{"card_number":"${card}","exp":"0${g.int(1, 9)}/${g.int(26, 30)}","cvv":"${S(cvv)}"}`;
  },
  g =>
    `device:\n  serial: ${g.chars(UPPER + DIGITS, 10)}\n  pin: "${S(g.digits(4))}"\n  puk: "${S(g.digits(8))}"`,
  g => `SMS from ${cap(g.company())}: Your one-time code is ${S(g.digits(6))}. It expires in 10 minutes.`,
  g => `$ npm publish --otp=${S(g.digits(6))}\nnpm notice Publishing to https://registry.npmjs.org/`,
  g => `TOTP_SECRET=${S(g.chars(BASE32, 32))}`,
  g =>
    `otpauth://totp/${cap(g.company())}:${g.login()}?secret=${S(g.chars(BASE32, 26))}&issuer=${cap(g.company())}&digits=6`,
);

add(
  'named/log',
  g =>
    `${g.date()}T${g.time()}Z INFO [main] Starting with args: --db.user=${g.login()} --db.password=${S(g.pw())} --port=8080`,
  g =>
    `${g.date()} ${g.time()}.${g.int(100, 999)} ERROR login failed for user=${g.login()} pass=${S(g.pw())} ip=${g.ip()}`,
  g =>
    `root      ${g.int(900, 9000)}  0.0  0.1  java -Dkeystore.password=${S(g.pw())} -jar /opt/${g.service()}/app.jar`,
  g =>
    `Jenkins initial setup is required. An admin user has been created and a password generated.\nPlease use the following password to proceed to installation:\n\n${S(g.hex(32))}\n\nThis may also be found at: /var/jenkins_home/secrets/initialAdminPassword`,
  g => `A temporary password is generated for root@localhost: ${S(g.strong(12, '!;<>(.'))}`,
  g =>
    `[pool-${g.int(1, 9)}-thread-${g.int(1, 9)}] DEBUG wire - http-outgoing >> "username=${g.login()}&password=${S(pct(g.strong(14, '!$&@')))}&grant_type=password"`,
  g =>
    `Password for the elastic user (reset with \`bin/elasticsearch-reset-password -u elastic\`):\n  ${S(g.mixed(BASE62 + '-_+*=', 20))}`,
  g => `argocd: initial admin credentials created, login: admin, password: ${S(g.b62(16))}`,
);

// ================ token: known token forms (75)

add(
  'token/github',
  g => `export GITHUB_TOKEN=${S(github(g, 'p'))}`,
  g =>
    toolResult(
      g,
      `github.com\n  ✓ Logged in to github.com account ${g.login()}\n  - Token: ${S(github(g, 'o'))}\n`,
    ),
  g =>
    `curl -H "Authorization: token ${S(github(g, 'p'))}" https://api.github.com/repos/${g.company()}/${g.service()}/actions/runs`,
  g =>
    `Cloning with installation ${g.digits(8)}: git clone https://x-access-token:${S(github(g, 's'))}@github.com/${g.company()}/${g.service()}`,
  g => userTurn(`here is my fine grained token ${S(githubFine(g))}, please open the PR with it`),
  g => `const octokit = new Octokit({ auth: "${S(githubFine(g))}" });`,
);
add(
  'token/gitlab',
  g => `glab auth login --hostname gitlab.${g.domain()} --token ${S(gitlabOld(g))}`,
  g => `PRIVATE-TOKEN: ${S(gitlabRoutable(g))}`,
  g =>
    `gitlab-runner register --non-interactive --url https://gitlab.com --token ${S(gitlabOld(g, 'gl' + 'rt-'))}`,
  g => `variables:\n  DEPLOY_TOKEN: ${S(gitlabOld(g, 'gl' + 'dt-'))}`,
);
add(
  'token/slack',
  g => `SLACK_BOT_TOKEN=${S(slackBot(g))}`,
  g => `const legacy = '${S(slackUser(g))}';`,
  g =>
    numbered(
      `app = App(token=os.environ["BOT"])\nhandler = SocketModeHandler(app, "${S(slackApp(g))}")\nhandler.start()`,
    ),
  g =>
    `curl -X POST -d '{"text":"deployed"}' ${'https://hooks.slack' + '.com/services'}/T0${g.chars(UPPER + DIGITS, 9)}/B0${g.chars(UPPER + DIGITS, 9)}/${S(g.b62(24))}`,
);
add(
  'token/discord',
  g => `client.login('${S(discordBot(g))}');`,
  g => `webhook_url: ${'https://discord' + '.com/api/webhooks'}/1${g.digits(18)}/${S(g.url(68))}`,
);
add(
  'token/stripe',
  g => `STRIPE_SECRET_KEY=${S(stripe(g, 'sk'))}`,
  g => `stripe.api_key = "${S(stripe(g, 'rk', 99))}"`,
  g => `> Ready! Your webhook signing secret is ${S('wh' + 'sec_' + g.hex(64))} (^C to quit)`,
  g => `curl https://api.stripe.com/v1/charges -u ${S(stripe(g, 'sk', 24))}: -d amount=${g.int(100, 9999)}`,
);
add(
  'token/aws',
  g =>
    `[default]\naws_access_key_id = ${S(awsId(g))}\naws_secret_access_key = ${S(awsSecret(g))}\nregion = us-east-1`,
  g =>
    toolResult(
      g,
      JSON.stringify(
        {
          Credentials: {
            AccessKeyId: S(awsId(g, 'AS' + 'IA')),
            SecretAccessKey: S(awsSecret(g)),
            SessionToken: S(awsSession(g)),
            Expiration: `${g.date()}T12:00:00Z`,
          },
        },
        null,
        4,
      ),
    ),
  g =>
    `s3 = boto3.client("s3", aws_access_key_id="${S(awsId(g))}", aws_secret_access_key="${S(awsSecret(g))}")`,
  g => `User name,Access key ID,Secret access key\n${g.login()},${S(awsId(g))},${S(awsSecret(g))}`,
);
add(
  'token/gcp',
  g => `<script src="https://maps.googleapis.com/maps/api/js?key=${S(google(g))}&callback=init"></script>`,
  g => `genai.configure(api_key="${S(google(g))}")`,
  g =>
    `{"installed":{"client_id":"${g.digits(12)}-${g.chars(LOWER + DIGITS, 32)}.apps.googleusercontent.com","client_secret":"${S('GOC' + 'SPX-' + g.url(28))}"}}`,
  g => `$ gcloud auth print-access-token\n${S('ya' + '29.a0' + g.url(200))}`,
);
add(
  'token/azure',
  g => `AZURE_CLIENT_ID=${g.uuid()}\nAZURE_TENANT_ID=${g.uuid()}\nAZURE_CLIENT_SECRET=${S(azureClient(g))}`,
  g =>
    `DefaultEndpointsProtocol=https;AccountName=${g.company()}store;AccountKey=${S(azureStorage(g))};EndpointSuffix=core.windows.net`,
  g =>
    `Endpoint=sb://${g.company()}.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=${S(g.b64(32))}`,
);
add(
  'token/digitalocean-cloudflare',
  g => `doctl auth init -t ${S('do' + 'p_v1_' + g.hex(64))}`,
  g => `CLOUDFLARE_API_TOKEN=${S(g.url(40))} npx wrangler deploy`,
  g => `X-Auth-User-Service-Key: ${S('v1' + '.0-' + g.hex(24) + '-' + g.hex(146))}`,
);
add(
  'token/package-registry',
  g => `npm notice\n$ npm token create\n${S(npmToken(g))}\ncidr_whitelist: none`,
  g => `jobs:\n  publish:\n    env:\n      NODE_AUTH_TOKEN: ${S(npmToken(g))}`,
  g => `UV_PUBLISH_TOKEN=${S(pypi(g))} uv publish`,
  g => `:rubygems_api_key: ${S('ruby' + 'gems_' + g.hex(48))}`,
  g => `cargo login ${S('ci' + 'o' + g.b62(32))}`,
  g => `docker login -u ${g.company()} -p ${S('dck' + 'r_pat_' + g.url(27))}`,
);
add(
  'token/ai',
  g => `HF_TOKEN=${S(huggingface(g))} python train.py --epochs 3`,
  g => `client = OpenAI(api_key="${S(openaiProject(g))}")`,
  g => userTurn(`my key is ${S(openaiOld(g))} why do I get 429?`),
  g => `x-api-key: ${S(anthropic(g))}\nanthropic-version: 2023-06-01`,
  g => arrows(`model: claude\nanthropic_api_key: ${S(anthropic(g))}\nmax_tokens: 1024`),
  g => `GROQ_API_KEY=${S('gs' + 'k_' + g.b62(52))}`,
  g => `replicate = Client(api_token='${S('r8' + '_' + g.b62(37))}')`,
);
add(
  'token/messaging',
  g => `curl https://api.telegram.org/bot${S(telegram(g))}/getMe`,
  g => `TELEGRAM_BOT_TOKEN="${S(telegram(g))}"`,
  g => `TWILIO_ACCOUNT_SID=${'A' + 'C' + g.hex(32)}\nTWILIO_AUTH_TOKEN=${S(g.hex(32))}`,
  g =>
    `client = Client("${'S' + 'K' + g.hex(32)}", "${S(g.b62(32))}", "${'A' + 'C' + g.hex(32)}")  # twilio api key and secret`,
  g => `sgMail.setApiKey('${S(sendgrid(g))}');`,
  g =>
    `curl -s --user 'api:${S('ke' + 'y-' + g.hex(32))}' https://api.mailgun.net/v3/mg.${g.domain()}/messages`,
  g => `MAILCHIMP_API_KEY=${S(g.hex(32) + '-us' + g.int(1, 21))}`,
);
add(
  'token/commerce-observability',
  g => `X-Shopify-Access-Token: ${S('shp' + 'at_' + g.hex(32))}`,
  g => `SHOPIFY_API_SECRET=${S('shp' + 'ss_' + g.hex(32))}`,
  g =>
    `DD_API_KEY=${S(g.hex(32))} DD_SITE=datadoghq.eu bash -c "$(curl -L https://install.datadoghq.com/agent.sh)"`,
  g => `datadog:\n  apiKey: ${S(g.hex(32))}\n  appKey: ${S(g.hex(40))}`,
  g => `sentry-cli --auth-token ${S(sentryOrg(g))} releases new 1.${g.int(1, 60)}.0`,
  g => `[auth]\ntoken=${S('sn' + 'tryu_' + g.hex(64))}`,
  g => `NEW_RELIC_USER_KEY=${S('NR' + 'AK-' + g.chars(UPPER + DIGITS, 27))}`,
  g => `Authorization: Bearer ${S(grafana(g))}`,
);
add(
  'token/work-tools',
  g => `const linear = new LinearClient({ apiKey: '${S('lin' + '_api_' + g.b62(40))}' })`,
  g => `NOTION_TOKEN=${S('nt' + 'n_' + g.digits(11) + g.b62(35))}`,
  g => `notion = Client(auth="${S('sec' + 'ret_' + g.b62(43))}")`,
  g => `X-Figma-Token: ${S('fig' + 'd_' + g.url(40))}`,
  g => `jira:\n  email: ${g.login()}@${g.domain()}\n  api_token: ${S(atlassian(g))}`,
);
add(
  'token/hosting',
  g => `vercel deploy --prod --token=${S(g.b62(24))}`,
  g => `NETLIFY_AUTH_TOKEN=${S('nf' + 'p_' + g.b62(36))}`,
  g => `supabase login --token ${S('sb' + 'p_' + g.hex(40))}`,
  g => `DATABASE_PASSWORD=${S('ps' + 'cale_pw_' + g.url(43))}`,
  g => `pscale service-token: ${S('ps' + 'cale_tkn_' + g.url(43))}`,
  g => `FLY_API_TOKEN="FlyV1 ${S('fm' + '2_' + 'lJPE' + g.b64(150))}"`,
  g => `VAULT_TOKEN=${S('hv' + 's.CAES' + 'I' + g.url(90))} vault kv get secret/${g.service()}`,
  g =>
    `databricks configure --host https://adb-${g.digits(16)}.7.azuredatabricks.net --token ${S('da' + 'pi' + g.hex(32))}`,
);

// ================ other: connection strings, keys, sessions, rc files, encoded, wrapped, prose (75)

add(
  'other/connection-string',
  g => `DATABASE_URL=postgres://${g.login()}:${S(g.b62(20))}@${g.host()}:5432/${g.service()}?sslmode=require`,
  g => `mysql://${g.login()}:${S(pct(g.strong(14, '@/#!')))}@${g.host()}:3306/${g.service()}`,
  g =>
    toolResult(
      g,
      `mongoose.connect('mongodb+srv://${g.login()}:${S(pct(g.pw()))}@cluster0.${g.chars(LOWER + DIGITS, 5)}.mongodb.net/${g.service()}')`,
    ),
  g => `CELERY_BROKER_URL = "redis://:${S(g.b62(32))}@${g.host()}:6379/0"`,
  g => `amqps://${g.login()}:${S(g.url(32))}@${g.company()}.rmq.cloudamqp.com/${g.company()}`,
  g =>
    `"DefaultConnection": "Server=tcp:${g.host()},1433;Initial Catalog=${g.service()};User ID=sa;Password=${S(g.pw())};Encrypt=True;"`,
  g =>
    `jdbc:sqlserver://${g.host()}:1433;databaseName=${g.service()};user=${g.login()};password=${S(g.strong(15, '!-_'))};encrypt=true`,
  g => `sqlplus ${g.login()}/${S(g.b62(12))}@//${g.host()}:1521/ORCLPDB1`,
  g => `clickhouse://default:${S(g.b62(18))}@${g.host()}:9000/${g.service()}`,
  g => `ELASTIC=https://elastic:${S(g.b62(24))}@${g.company()}.es.eu-central-1.aws.cloud.es.io:9243`,
  g =>
    `engine = create_engine("snowflake://${g.login()}:${S(pct(g.pw()))}@${g.company()}-eu1/PROD/PUBLIC?warehouse=WH")`,
  g => `neo4j+s://neo4j:${S(g.url(43))}@${g.hex(8)}.databases.neo4j.io`,
  g =>
    `cockroachdb://${g.login()}:${S(g.url(22))}@free-tier.gcp-europe-west1.cockroachlabs.cloud:26257/defaultdb`,
  g =>
    `mssql+pyodbc://${g.login()}:${S(pct(g.pw() + '@'))}@${g.host()}/${g.service()}?driver=ODBC+Driver+18+for+SQL+Server`,
  g => `couchdb: http://admin:${S(pct(g.pw()))}@${g.ip()}:5984/_all_dbs`,
  g =>
    `host=${g.host()} port=5432 dbname=${g.service()} user=${g.login()} password=${S(g.b62(16))} sslmode=disable`,
  g => `influx: http://${g.login()}:${S(g.b62(14))}@${g.host()}:8086/metrics`,
);

add(
  'other/jwt',
  g =>
    `Authorization: Bearer ${S(jwt(g, { sub: g.uuid(), iat: 1700000000 + g.int(0, 9e6), exp: 1800000000 }))}`,
  g =>
    `SUPABASE_SERVICE_ROLE_KEY=${S(jwt(g, { iss: 'supabase', ref: g.chars(LOWER, 20), role: 'service_role', iat: 17e8 + g.int(0, 9e6), exp: 2e9 }))}`,
  g =>
    toolResult(
      g,
      `token:\n${S(jwt(g, { iss: 'kubernetes/serviceaccount', 'kubernetes.io/serviceaccount/namespace': 'kube-system', sub: 'system:serviceaccount:kube-system:' + g.login() }, 'RS256'))}\n`,
    ),
  g =>
    `localStorage.setItem("id_token", "${S(jwt(g, { email: `${g.login()}@${g.domain()}`, aud: g.service() }, 'RS256'))}")`,
);

add(
  'other/private-key',
  g => `$ cat ~/.ssh/id_rsa\n${pem(RSA, body64(rsaDer(g)))}`,
  g => `$ cat ~/.ssh/id_ed25519\n${pem(OPENSSH, body64(opensshDer(g), 70))}`,
  g => `${pem(EC, body64(ecDer(g)))}\n`,
  g => numbered(`${begin(PKCS8)}\n${markLines(body64(pkcs8Der(g)))}\n${end(PKCS8)}`),
  g =>
    toolResult(
      g,
      JSON.stringify(
        {
          type: 'service_account',
          project_id: g.company(),
          private_key_id: g.hex(40),
          private_key: `${begin(PKCS8)}\n${S(body64(pkcs8Der(g)))}\n${end(PKCS8)}\n`,
          client_email: `ci@${g.company()}.iam.gserviceaccount.com`,
        },
        null,
        2,
      ),
    ),
  g => `$ head -8 server.key\n${begin(RSA)}\n${S(body64(rsaDer(g)).split('\n').slice(0, 7).join('\n'))}`,
  g => `$ tail -6 deploy.pem\n${S(body64(rsaDer(g)).split('\n').slice(-5).join('\n'))}\n${end(RSA)}`,
  g =>
    `tls:\n  crt: /etc/ssl/${g.service()}.crt\n  key: |\n${indent(`${begin(EC)}\n${markLines(body64(ecDer(g)))}\n${end(EC)}`, 4)}`,
  g =>
    `# public key: age1${g.chars(BECH32, 58).toLowerCase()}\n${S('AGE-' + 'SECRET-KEY-1' + g.chars(BECH32, 58))}`,
  g => `[Interface]\nPrivateKey = ${S(g.b64(32))}\nAddress = ${g.ip()}/32\nDNS = 1.1.1.1`,
);

add(
  'other/session-cookie',
  g =>
    `Cookie: _ga=GA1.2.${g.digits(9)}.${g.digits(10)}; sessionid=${S(g.chars(LOWER + DIGITS, 32))}; theme=dark`,
  g =>
    `< HTTP/1.1 302 Found\n< Set-Cookie: connect.sid=${S('s%3A' + g.url(32) + '.' + pct(g.b64(32)))}; Path=/; HttpOnly`,
  g => `curl -b 'PHPSESSID=${S(g.chars(LOWER + DIGITS, 26))}' https://shop.${g.domain()}/admin/orders`,
  g =>
    `# Netscape HTTP Cookie File\n.${g.domain()}\tTRUE\t/\tTRUE\t18${g.digits(8)}\tauth_token\t${S(g.hex(40))}`,
);

add(
  'other/signed-address',
  g =>
    `https://${g.company()}.s3.eu-central-1.amazonaws.com/report.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20250${g.int(1, 9)}12T101500Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature=${S(g.hex(64))}`,
  g =>
    `azcopy copy "https://${g.company()}.blob.core.windows.net/backup?sv=2022-11-02&ss=b&srt=co&sp=rl&se=2026-01-01T00:00:00Z&sig=${S(pct(g.b64(32)))}" ./`,
  g =>
    `https://storage.googleapis.com/${g.company()}/db.dump?GoogleAccessId=ci@${g.company()}.iam.gserviceaccount.com&Expires=18${g.digits(8)}&Signature=${S(pct(g.b64(256)))}`,
  g =>
    `Reset link sent: https://${g.domain()}/password/reset?token=${S(g.url(43))}&email=${g.login()}%40${g.domain()}`,
);

add(
  'other/base64-credentials',
  g => `Authorization: Basic ${S(b64(`${g.login()}:${g.pw()}`))}`,
  g => `{"auths":{"registry.${g.domain()}":{"auth":"${S(b64(`${g.login()}:${g.strong(18)}`))}"}}}`,
  g =>
    `apiVersion: v1\nkind: Secret\ntype: Opaque\ndata:\n  username: YWRtaW4=\n  password: ${S(b64(g.strong(20)))}`,
  g => `//npm.${g.domain()}/:_auth=${S(b64(`${g.login()}:${g.pw()}`))}`,
  g =>
    `$ kubectl get secret ${g.service()} -o jsonpath='{.data.DB_PASSWORD}'\n${S(b64(g.pw() + g.int(10, 99)))}\n$ `,
);

add(
  'other/rc-file',
  g => `$ cat ~/.netrc\nmachine git.${g.domain()}\n  login ${g.login()}\n  password ${S(g.pw())}`,
  g => `machine api.${g.domain()} login ${g.login()} password ${S(g.b62(36))}`,
  g =>
    `$ cat ~/.pgpass\n${g.host()}:5432:${g.service()}:${g.login()}:${S(g.pw())}\n*:5432:*:postgres:${S(g.strong(16, '!-_'))}`,
  g => `@${g.company()}:registry=https://npm.${g.domain()}/\n//npm.${g.domain()}/:_authToken=${S(g.uuid())}`,
  g => `[distutils]\nindex-servers = pypi\n\n[pypi]\nusername = __token__\npassword = ${S(pypi(g))}`,
  g =>
    `[nexus]\nrepository = https://nexus.${g.domain()}/repository/pypi/\nusername = ${g.login()}\npassword = ${S(g.pw())}`,
);

add(
  'other/git-remote',
  g =>
    `$ git remote -v\norigin\thttps://${g.login()}:${S(pct(g.pw()))}@git.${g.domain()}/${g.service()}.git (fetch)`,
  g =>
    `fatal: unable to access 'https://oauth2:${S(gitlabOld(g))}@gitlab.com/${g.company()}/${g.service()}.git/': The requested URL returned error: 403`,
  g =>
    `[remote "origin"]\n\turl = https://${S(github(g, 'p'))}@github.com/${g.company()}/${g.service()}.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*`,
);

// a value broken over two lines: each piece is a secret of its own
const split = (value, at, glue) => S(value.slice(0, at)) + glue + S(value.slice(at));
add(
  'other/wrapped',
  g => `│ ANTHROPIC_API_KEY=${split(anthropic(g), 56, ' │\n│ ')} │`,
  g =>
    `Authorization: Bearer ${split(jwt(g, { jti: g.uuid(), sub: g.login(), scope: 'admin', org: g.company(), exp: 19e8 }), 84, '\n    ')}`,
  g => `api_key = ("${split(g.b62(48), 24, '"\n           "')}")`,
  g => `export GITHUB_TOKEN=${split(githubFine(g), 60, '\\\n')}`,
);

add(
  'other/prose',
  g =>
    userTurn(
      `the admin password is ${S(g.pw())}, please log in and check why the ${g.service()} page is empty`,
    ),
  g => userTurn(`log in with ${g.login()} / ${S(g.pw())} on https://${g.domain()} and export the report`),
  g => `Sure, ssh to ${g.ip()} as root, pw: ${S(g.pw())}`,
  g => userTurn(`My wifi passphrase is "${S(g.phrase(' '))}". Put it into the config.`),
  g =>
    `Das Passwort für den ${cap(g.service())}-Server lautet ${S(g.pick(GERMAN) + g.year() + '!')} (bitte nicht weitergeben).`,
  g =>
    userTurn(
      `Melde dich mit ${g.login()} / ${S(g.pick(GERMAN) + 'Größe' + g.int(10, 99))} an und schau dir die Logs an.`,
    ),
  g => `Zugangsdaten: Benutzer ${g.login()}, Kennwort ${S(g.pw())}`,
  g => userTurn(`管理者のパスワードは ${S(g.pw())} です。ログインして確認してください。`),
  g => `ユーザー名：${g.login()}\nパスワード：${S(g.pw())}`,
  g => userTurn(`数据库密码是${S(g.strong(14, '!-_'))}，用户名是${g.login()}，帮我连上去看看`),
  g => `账号：${g.login()}，密码：${S(g.pw())}`,
  g => userTurn(`La contraseña del servidor es ${S(g.pw())} y el usuario es ${g.login()}.`),
  g => `Usuario: ${g.login()}\nClave: ${S(g.pw())}\nPuerto: 22`,
  g => userTurn(`Le mot de passe de la base est ${S(g.pw())}, connecte-toi avec le compte ${g.login()}.`),
  g => `Identifiant : ${g.login()}\nMot de passe : ${S(g.pw())}`,
  g =>
    userTurn(
      `can you decrypt vault.yml? the vault password is still ${S(g.phrase('', 2) + g.int(10, 99))} as last year`,
    ),
  g =>
    `From: it@${g.domain()}\nSubject: Your new account\n\nHi ${g.name()},\nyour initial password: ${S(g.pw())}\nPlease change it after the first login.`,
  g => userTurn(`unlock code of the door to the server room is ${S(g.digits(6))}, note it in the runbook`),
);

const PLANTED = cases.length;

// ================ harmless look-alikes (100)

const placeholder = (...texts) => add('harmless', ...texts.map(t => () => t));
const AWS_DOC_ID = 'AK' + 'IAIOSFODNN7' + 'EXAMPLE';
const AWS_DOC_SECRET = 'wJalrXUtnFEMI/K7MDENG/' + 'bPxRfiCYEXAMPLEKEY';

add(
  'harmless',
  g =>
    `commit ${g.hex(40)}\nAuthor: ${g.name()} <${g.login()}@${g.domain()}>\nDate:   Mon Mar 3 10:11:12 2025 +0100\n\n    fix password reset form`,
  g => `$ git log --oneline -2\n${g.hex(7)} add token refresh\n${g.hex(9)} remove secret rotation job`,
  g => `index ${g.hex(40)}..${g.hex(40)} 100644`,
  g => `100644 blob ${g.hex(40)}\tsrc/auth/password.ts`,
  g => `tree ${g.hex(40)}\nparent ${g.hex(40)}`,
  g => `HEAD detached at ${g.hex(10)}\nnothing to commit, working tree clean`,
  g => `Merge: ${g.hex(8)} ${g.hex(8)}`,
  g => `- uses: actions/checkout@${g.hex(40)} # v4.1.7`,
  g => `request_id=${g.uuid()} status=200 duration=${g.int(1, 900)}ms`,
  g => `{"id":"${g.uuid()}","user_id":"${g.uuid()}","kind":"token_usage","input_tokens":${g.int(100, 9000)}}`,
  g => `{"sessionId":"${g.uuid()}","parentUuid":"${g.uuid()}","type":"assistant"}`,
  g => `AZURE_TENANT_ID=${g.uuid()}`,
  g => `subscriptionId: ${g.uuid()}\nresourceGroup: ${g.service()}-rg`,
  g => `"integrity": "sha512-${g.b64(64)}"`,
  g =>
    `<script src="https://cdn.jsdelivr.net/npm/vue@3" integrity="sha384-${g.b64(48)}" crossorigin="anonymous"></script>`,
  g => `golang.org/x/crypto v0.${g.int(10, 30)}.0 h1:${g.b64(32)}`,
  g => `{ url = "https://files.pythonhosted.org/packages/x.whl", hash = "sha256:${g.hex(64)}" }`,
  g => `requests==2.32.3 \\\n    --hash=sha256:${g.hex(64)}`,
  g => `checksum = "${g.hex(64)}"\nname = "rand_core"\nversion = "0.6.4"`,
  g => `$ sha256sum release.tar.gz\n${g.hex(64)}  release.tar.gz`,
  g => `$ md5sum *.iso\n${g.hex(32)}  install.iso`,
  g => `FROM node:22-alpine@sha256:${g.hex(64)}`,
  g => `Digest: sha256:${g.hex(64)}\nStatus: Image is up to date for postgres:16`,
  g => `CONTAINER ID   IMAGE         STATUS\n${g.hex(12)}   redis:7       Up 3 hours`,
  g => `etag: "${g.hex(32)}"\ncache-control: max-age=600`,
  g => `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${g.b64(90)}">`,
  g => `"image/png": "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA${g.b64(150)}"`,
  g => `src: url(data:font/woff2;base64,d09GMgABAAAAA${g.b64(99)}) format("woff2");`,
  g =>
    `//# sourceMappingURL=data:application/json;base64,${b64(`{"version":3,"sources":["${g.service()}.ts"],"names":[],"mappings":"AAAA"}`)}`,
  g => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${g.b64(32).slice(0, 43)} ${g.login()}@laptop`,
  g => `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ${g.b64(258).slice(0, 342)} ${g.login()}@build`,
  g =>
    `${begin('PUBLIC KEY')}\n${body64(Buffer.concat([Buffer.from('30820122300d06092a864886f70d01010105000382010f003082010a0282010100', 'hex'), bigNumber(g, 256), Buffer.from([2, 3, 1, 0, 1])]))}\n${end('PUBLIC KEY')}`,
  g =>
    `${begin('CERTIFICATE')}\n${body64(Buffer.concat([Buffer.from('30820310308201f8a0030201', 'hex'), g.bytes(500)]))}\n${end('CERTIFICATE')}`,
  g => `github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${g.b64(32).slice(0, 43)}`,
  g =>
    `The authenticity of host can't be established.\nED25519 key fingerprint is SHA256:${g.b64(32).replace('=', '')}.`,
  g => `[Peer]\nPublicKey = ${g.b64(32)}\nAllowedIPs = ${g.ip()}/32`,
  g => `gpg: key ${g.hex(16).toUpperCase()}: public key "${g.name()}" imported`,
  g => `arn:aws:iam::${g.digits(12)}:role/${g.service()}-deploy`,
  g => `arn:aws:secretsmanager:eu-central-1:${g.digits(12)}:secret:prod/${g.service()}/db-${g.b62(6)}`,
  g => `arn:aws:kms:us-east-1:${g.digits(12)}:key/${g.uuid()}`,
  g => `vpc-0${g.hex(16)} subnet-0${g.hex(16)} i-0${g.hex(16)}`,
  g => `projects/${g.company()}/secrets/db-password/versions/${g.int(1, 9)}`,
  g => `"tool_use_id":"toolu_01${g.b62(22)}","name":"Read"`,
  g => `"message":{"id":"msg_01${g.b62(22)}","role":"assistant"}`,
  g => `"id":"chatcmpl-${g.b62(29)}","object":"chat.completion"`,
  g => `cus_${g.b62(14)} paid with pm_1${g.b62(23)} (charge ch_3${g.b62(23)})`,
  g => `expect(screen.getByTestId("password-input-${g.int(1, 9)}")).toBeVisible()`,
  g =>
    `<div class="css-${g.chars(LOWER + DIGITS, 7)} sc-${g.b62(6)} kYpJqR" data-testid="api-key-row"></div>`,
  g => `.${g.word()}__password--${g.chars(LOWER, 5)} { color: #${g.hex(6)}; background: #${g.hex(6)}; }`,
  g =>
    `!function(e,t){"object"==typeof exports?module.exports=t():e.${g.word()}=t()}(this,function(){var n=${g.int(1000, 99999)},r=function(e){return e.password?n:"${g.chars(LOWER, 3)}"};return r});`,
  g => `dist/assets/index-${g.url(8)}.js   ${g.int(100, 900)}.12 kB │ gzip: ${g.int(20, 99)}.01 kB`,
  g => `https://www.youtube.com/watch?v=${g.url(11)}`,
  g => `https://docs.google.com/document/d/1${g.url(43)}/edit`,
  g => `traceparent: 00-${g.hex(32)}-${g.hex(16)}-01`,
  g => `x-amz-request-id: ${g.chars(UPPER + DIGITS, 16)}\nx-amz-id-2: ${g.b64(56)}`,
  g => `cf-ray: ${g.hex(16)}-FRA`,
  g => `Restored session ${g.uuid()} (${g.int(2, 90)} messages)`,
  g => `0x${g.hex(40)} transferred 12 tokens in block ${g.int(1e6, 2e7)}`,
  g => `pod/${g.service()}-${g.hex(9)}-${g.chars(LOWER + DIGITS, 5)} 1/1 Running 0 ${g.int(1, 20)}d`,
  g =>
    `password_hash_rounds = ${g.int(10, 14)}\npassword_min_length = ${g.int(8, 16)}\ntoken_ttl_seconds = 3600`,
  g =>
    `max_tokens: ${g.int(1000, 9000)}, total_tokens: ${g.int(10000, 99999)}, cache_read_input_tokens: ${g.int(1000, 9999)}`,
);
placeholder(
  'API_KEY=YOUR_API_KEY',
  'curl -u user:<password> https://api.service.io/v1/me',
  'password: "********"',
  'DB_PASSWORD=${DB_PASSWORD}',
  'password: ${DB_PASSWORD:?required}',
  'const key = process.env.STRIPE_SECRET_KEY;',
  'token = os.environ["GITHUB_TOKEN"]',
  'password = os.getenv("DB_PASSWORD")',
  'secret := os.Getenv("APP_SECRET")',
  'password: {{ vault_db_password }}',
  'password: {{ .Values.postgresql.auth.password | quote }}',
  'env:\n  TOKEN: ${{ secrets.GITHUB_TOKEN }}',
  'password = var.db_password',
  'password = data.aws_secretsmanager_secret_version.db.secret_string',
  `aws_access_key_id = ${AWS_DOC_ID}\naws_secret_access_key = ${AWS_DOC_SECRET}`,
  'postgres://USER:PASSWORD@HOST:5432/DATABASE',
  'postgres://$DB_USER:$DB_PASS@$DB_HOST/app',
  'Authorization: Bearer <token>',
  'Authorization: Bearer $TOKEN',
  'export OPENAI_API_KEY="' + 'sk' + '-..."',
  'GITHUB_TOKEN=' + 'gh' + 'p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'interface LoginRequest { username: string; password: string; token?: string | null }',
  'public String getPassword() { return this.password; }',
  'def login(username: str, password: SecretStr, api_key: Optional[str] = None) -> Token:',
  'private readonly passwordEncoder: BCryptPasswordEncoder;',
  'password = getpass.getpass("Password: ")',
  'read -s -p "Password: " PASSWORD',
  'if (password !== confirmPassword) throw new PasswordMismatchError();',
  'password VARCHAR(255) NOT NULL,\napi_key_id BIGINT REFERENCES api_keys(id)',
  '<input type="password" name="password" placeholder="Enter your password" autocomplete="current-password">',
  'valueFrom:\n  secretKeyRef:\n    name: db-credentials\n    key: password',
  'POSTGRES_PASSWORD_FILE: /run/secrets/postgres_password',
  'The password must have at least 12 characters, one digit and one symbol.',
  'I never print the password; it is read from the keychain and passed on stdin.',
  'Das Passwort wird beim ersten Start abgefragt und nirgends gespeichert.',
  'パスワードは環境変数から読み込まれます。',
  'El usuario debe cambiar la contraseña cada 90 días.',
  '[sudo] password for deploy: \nSorry, try again.',
  'password: null\ntoken: undefined\nsecret: ""',
);

// ---------------------------------------------------------------- surroundings

// Some texts stand inside a larger piece of a transcript: a JSON tool result, a listing with
// other output around it, or a remark of the agent before it.
function surround(g, kind, text) {
  if (/^[{"]/.test(text) || text.includes('│') || kind === 'other/prose') {
    return text;
  }
  switch (g.int(0, 11)) {
    case 0:
    case 1:
      return toolResult(g, text);
    case 2:
      return `I'll check the ${g.service()} setup first.\n\n\`\`\`\n${text}\n\`\`\`\n\nThat matches what I expected, so I continue with the next step.`;
    case 3:
      return `$ git rev-parse HEAD\n${g.hex(40)}\n${text}\n$ echo $?\n0`;
    case 4:
      return `[${g.date()}T${g.time()}Z] run ${g.uuid()} started\n${text}\n(exit code 0, ${g.int(1, 90)}s)`;
    default:
      return text;
  }
}

// ---------------------------------------------------------------- output

function readSeed(argv) {
  const at = argv.indexOf('--seed');
  const seed = at < 0 ? 1 : Number(argv[at + 1]);
  if (!Number.isInteger(seed)) {
    throw new Error('usage: node generate.mjs --seed N');
  }
  return seed;
}

const MARKED = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`, 'g');
const seed = readSeed(process.argv);
const lines = cases.map(({ kind, make }, i) => {
  const g = new Gen(seed, i);
  const marked = surround(g, kind, make(g));
  const secrets = [...new Set([...marked.matchAll(MARKED)].map(m => m[1]))];
  return JSON.stringify({
    id: i + 1,
    kind,
    text: marked.replaceAll(OPEN, '').replaceAll(CLOSE, ''),
    secrets,
  });
});
if (PLANTED !== 300 || cases.length !== 400) {
  console.error(`unexpected counts: ${PLANTED} planted, ${cases.length - PLANTED} harmless`);
}
process.stdout.write(lines.join('\n') + '\n');
