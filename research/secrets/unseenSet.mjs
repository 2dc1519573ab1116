// Prints 104 texts with secrets as JSON lines, in forms that people have in files, shells and messages.
// Usage: node unseenSet.mjs --seed N
// Written before its author read the rules.

const LOWER = 'abcdefghijkmnopqrstuvwxyz';
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const DIGITS = '0123456789';
const ALNUM = LOWER + UPPER + DIGITS;
const HEX = '0123456789abcdef';
const BASE64 = ALNUM + '+/';
const BASE64URL = ALNUM + '-_';

let state = Number(process.argv[process.argv.indexOf('--seed') + 1] || 1) >>> 0;

/** A number from 0 to below `bound` (mulberry32). */
function below(bound) {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
}
const pick = list => list[below(list.length)];
const chars = (alphabet, length) => Array.from({ length }, () => pick(alphabet)).join('');
const hex = length => chars(HEX, length);
const alnum = length => chars(ALNUM, length);
const digits = length => chars(DIGITS, length);
const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;

const WORDS =
  'otter maple ginger comet anvil lagoon pretzel violin cactus meadow tundra walrus pigeon domino saffron bamboo'.split(
    ' ',
  );
const capital = word => word[0].toUpperCase() + word.slice(1);

/** A password as a person chooses it: two words, a number and a sign. */
const chosen = () => `${capital(pick(WORDS))}${pick(WORDS)}${10 + below(89)}${pick('!#?*')}`;
/** A word with a year. */
const yearly = () => `${capital(pick(WORDS))}20${10 + below(16)}${pick(['', '!', '!!', '#'])}`;
/** Words with a hyphen between them. */
const phrase = (count = 4) => Array.from({ length: count }, () => pick(WORDS)).join('-');
/** A password as a password manager makes it. */
const made = (length = 18) => chars(ALNUM, length - 4) + chars('!@#$%^*_-+=', 1) + chars(ALNUM, 3);

const FORMS = [
  // Sentences of users to an agent.
  ['sentence', s => `ssh into the staging box (user deploy, password ${s}) and restart nginx`, chosen],
  ['sentence', s => `here's my openai key so you can test it: ${s}`, () => `sk-proj-${chars(BASE64URL, 74)}`],
  ['sentence', s => `The wifi is GuestNet and the password is ${s}, let me know when you are in.`, yearly],
  ['sentence', s => `login with admin / ${s} on http://10.0.4.17:8080`, chosen],
  ['sentence', s => `I changed the db password to ${s} yesterday, please update the compose file`, made],
  ['sentence', s => `use this token for the api calls ${s}`, () => hex(40)],
  ['sentence', s => `creds: root:${s}`, chosen],
  ['sentence', s => `My sudo password is "${s}". Please install ffmpeg.`, yearly],
  ['sentence', s => `Das Passwort für den Server lautet ${s}`, chosen],
  ['sentence', s => `El usuario es soporte y la contraseña es ${s}.`, chosen],
  ['sentence', s => `le mot de passe de la base : ${s}`, chosen],
  ['sentence', s => `数据库密码是 ${s}，端口 3306`, chosen],
  ['sentence', s => `パスワードは ${s} です`, chosen],
  ['sentence', s => `pass for the zip: ${s}`, phrase],
  ['sentence', s => `2fa backup codes, keep them: ${s}`, () => `${hex(5)}-${hex(5)}`],
  ['sentence', s => `the pin of the door is ${s}`, () => digits(6)],
  ['sentence', s => `username: maria.k\npassword: ${s}\n\ncan you check why I can't log in?`, phrase],
  ['sentence', s => `PW for the jenkins user -> ${s}`, made],
  ['sentence', s => `The API secret (${s}) goes in the header X-Signature-Key.`, () => alnum(32)],
  [
    'sentence',
    s => `just export ANTHROPIC_API_KEY=${s} and run it again`,
    () => `sk-ant-api03-${chars(BASE64URL, 93)}AA`,
  ],
  // Files of programs.
  [
    'file',
    s => `define( 'DB_NAME', 'shop' );\ndefine( 'DB_PASSWORD', '${s}' );\ndefine( 'DB_HOST', 'localhost' );`,
    made,
  ],
  ['file', s => `define('AUTH_KEY',         '${s}');`, () => chars(ALNUM + '|~!@^&*()[]{};:,.<>/', 64)],
  [
    'file',
    s => `spring.datasource.username=orders\nspring.datasource.password=${s}\nserver.port=8081`,
    chosen,
  ],
  [
    'file',
    s =>
      `{\n  "ConnectionStrings": {\n    "Default": "Server=sql01;Database=Crm;User Id=crm_app;Password=${s};TrustServerCertificate=True"\n  }\n}`,
    made,
  ],
  ['file', s => `machine artifactory.corp.example\n  login build\n  password ${s}\n`, () => alnum(24)],
  ['file', s => `//registry.npmjs.org/:_authToken=${s}`, () => `npm_${alnum(36)}`],
  [
    'file',
    s => `[pypi]\nusername = __token__\npassword = ${s}`,
    () => `pypi-AgEIcHlwaS5vcmc${chars(BASE64URL, 140)}`,
  ],
  [
    'file',
    s => `{"auths":{"ghcr.io":{"auth":"${s}"}}}`,
    () => Buffer.from(`robot:${alnum(30)}`).toString('base64'),
  ],
  [
    'file',
    s => `users:\n- name: admin\n  user:\n    token: ${s}`,
    () => `${chars(LOWER + DIGITS, 6)}.${alnum(40)}`,
  ],
  ['file', s => `[Interface]\nPrivateKey = ${s}\nAddress = 10.8.0.2/32`, () => `${chars(BASE64, 42)}E=`],
  ['file', s => `network={\n    ssid="Altbau-5G"\n    psk="${s}"\n    key_mgmt=WPA-PSK\n}`, phrase],
  [
    'file',
    s => `[nas]\ntype = webdav\nurl = https://cloud.example.org/dav\nuser = lena\npass = ${s}`,
    () => chars(BASE64URL, 30),
  ],
  ['file', s => `[connection]\nid=Office\n[wifi-security]\nkey-mgmt=wpa-psk\npsk=${s}`, chosen],
  [
    'file',
    s => `<server>\n  <id>releases</id>\n  <username>ci</username>\n  <password>${s}</password>\n</server>`,
    made,
  ],
  ['file', s => `<add key="SmtpPassword" value="${s}" />`, chosen],
  ['file', s => `<property name="hibernate.connection.password">${s}</property>`, chosen],
  [
    'file',
    s =>
      `services:\n  db:\n    image: postgres:16\n    environment:\n      - POSTGRES_USER=app\n      - POSTGRES_PASSWORD=${s}`,
    chosen,
  ],
  ['file', s => `variable "db_password" {\n  type    = string\n  default = "${s}"\n}`, made],
  ['file', s => `resource "aws_db_instance" "main" {\n  username = "root"\n  password = "${s}"\n}`, made],
  ['file', s => `ansible_user: ops\nansible_become_pass: ${s}`, yearly],
  ['file', s => `requirepass ${s}\nmaxmemory 256mb`, () => alnum(32)],
  ['file', s => `user_password = ${s}\nlisten 0.0.0.0`, yearly],
  ['file', s => `host all all 127.0.0.1/32 md5\n# replication user: repl / ${s}`, made],
  ['file', s => `production:\n  secret_key_base: ${s}`, () => hex(128)],
  ['file', s => `SECRET_KEY = 'django-insecure-${s}'`, () => chars(LOWER + DIGITS + '!@#$%^&*(-_=+)', 50)],
  ['file', s => `app.secret_key = b'${s}'`, () => `_5#y2L"F4Q8z${alnum(6)}`],
  ['file', s => `const JWT_SECRET = process.env.JWT_SECRET || '${s}';`, phrase],
  ['file', s => `const client = twilio('AC${hex(32)}', '${s}');`, () => hex(32)],
  [
    'file',
    s => `firebase.initializeApp({ apiKey: "${s}", authDomain: "x.firebaseapp.com" });`,
    () => `AIzaSy${chars(BASE64URL, 33)}`,
  ],
  ['file', s => `conn = psycopg2.connect(host="db1", user="etl", password="${s}", dbname="dw")`, chosen],
  ['file', s => `engine = create_engine("mysql+pymysql://report:${s}@10.1.2.3/sales")`, () => alnum(16)],
  [
    'file',
    s => `$cred = New-Object PSCredential("svc_sql", (ConvertTo-SecureString "${s}" -AsPlainText -Force))`,
    chosen,
  ],
  ['file', s => `requests.get(url, auth=("integration", "${s}"))`, made],
  [
    'file',
    s => `server.login("noreply@shop.example", "${s}")`,
    () => Array.from({ length: 4 }, () => chars(LOWER, 4)).join(' '),
  ],
  [
    'file',
    s => `transporter = nodemailer.createTransport({ auth: { user: 'hello@shop.example', pass: '${s}' } });`,
    made,
  ],
  ['file', s => `headers = {"X-API-Key": "${s}", "Accept": "application/json"}`, () => alnum(40)],
  ['file', s => `bot = telebot.TeleBot("${s}")`, () => `${digits(10)}:AA${chars(BASE64URL, 33)}`],
  ['file', s => `client.run("${s}")  # discord`, () => `MTA${alnum(21)}.${alnum(6)}.${chars(BASE64URL, 38)}`],
  [
    'file',
    s => `[default]\naws_access_key_id = AKIA${chars(UPPER + '234567', 16)}\naws_secret_access_key = ${s}`,
    () => chars(BASE64, 40),
  ],
  [
    'file',
    s =>
      `"storageConnection": "DefaultEndpointsProtocol=https;AccountName=media;AccountKey=${s};EndpointSuffix=core.windows.net"`,
    () => `${chars(BASE64, 86)}==`,
  ],
  [
    'file',
    s => `Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${s}`,
    () => `${chars(BASE64, 43)}=`,
  ],
  [
    'file',
    s =>
      `sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="k" password="${s}";`,
    made,
  ],
  ['file', s => `enable secret 0 ${s}\nline vty 0 4`, yearly],
  ['file', s => `username admin privilege 15 password 0 ${s}`, yearly],
  ['file', s => `snmp-server community ${s} RO`, () => alnum(12)],
  ['file', s => `root:$6$${alnum(16)}$${s}:19700:0:99999:7:::`, () => chars(ALNUM + './', 86)],
  ['file', s => `alice:$apr1$${alnum(8)}$${s}`, () => chars(ALNUM + './', 22)],
  ['file', s => `ldap.bind_dn: cn=reader,dc=corp\nldap.bind_credentials: ${s}`, made],
  ['file', s => `encryption:\n  passphrase: >-\n    ${s}\n  cipher: aes`, phrase],
  ['file', s => `restic_repository = s3:backup\nexport RESTIC_PASSWORD='${s}'`, phrase],
  [
    'file',
    s => `# age identity\n${s}`,
    () => `AGE-SECRET-KEY-1${chars('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  ],
  // What shells show.
  ['shell', s => `$ mysql -h db.internal -u root -p'${s}' shop < dump.sql`, chosen],
  ['shell', s => `sshpass -p ${s} scp build.tar ops@10.0.0.9:/srv`, made],
  ['shell', s => `echo '${s}' | sudo -S systemctl restart docker`, yearly],
  ['shell', s => `curl -s -H "Authorization: Bearer ${s}" https://api.example.com/v2/me`, () => alnum(48)],
  ['shell', s => `curl -u jenkins:${s} https://ci.example.com/job/x/build`, () => `11${hex(32)}`],
  ['shell', s => `docker login -u build -p ${s} registry.example.com`, made],
  ['shell', s => `docker run -e MYSQL_ROOT_PASSWORD=${s} -d mysql:8`, yearly],
  ['shell', s => `PGPASSWORD=${s} psql -h 10.0.0.5 -U app -c 'select 1'`, chosen],
  ['shell', s => `kubectl create secret generic db --from-literal=password='${s}'`, made],
  ['shell', s => `gh auth token\n${s}`, () => `gho_${alnum(36)}`],
  [
    'shell',
    s => `git clone https://oauth2:${s}@gitlab.example.com/team/app.git`,
    () => `glpat-${chars(BASE64URL, 20)}`,
  ],
  [
    'shell',
    s => `origin\thttps://x-access-token:${s}@github.com/acme/site (fetch)`,
    () => `ghs_${alnum(36)}`,
  ],
  [
    'shell',
    s =>
      `az ad sp create-for-rbac\n{\n  "appId": "${uuid()}",\n  "password": "${s}",\n  "tenant": "${uuid()}"\n}`,
    () => `${alnum(3)}8Q~${chars(BASE64URL, 34)}`,
  ],
  [
    'shell',
    s =>
      `$ vault kv get secret/app\n====== Data ======\nKey         Value\n---         -----\npassword    ${s}`,
    made,
  ],
  ['shell', s => `Unseal Key 1: ${s}\nInitial Root Token: hvs.${alnum(24)}`, () => chars(BASE64, 44)],
  ['shell', s => `$ openssl rand -hex 32\n${s}\n$ echo "put it in JWT_SECRET"`, () => hex(64)],
  ['shell', s => `htpasswd -bc .htpasswd admin ${s}`, chosen],
  ['shell', s => `echo "ftpuser:${s}" | chpasswd`, chosen],
  ['shell', s => `New password for elastic: ${s}`, () => `${alnum(12)}*${alnum(7)}`],
  ['shell', s => `PASSWORD elastic = ${s}`, () => alnum(20)],
  [
    'shell',
    s => `A temporary password is generated for root@localhost: ${s}`,
    () => `${alnum(5)};${alnum(4)}#${alnum(2)}`,
  ],
  ['shell', s => `[C 10:01:22 ServerApp]\n    http://localhost:8888/lab?token=${s}`, () => hex(48)],
  ['shell', s => `ALTER USER app WITH PASSWORD '${s}';`, chosen],
  ['shell', s => `CREATE USER 'repl'@'%' IDENTIFIED BY '${s}';`, made],
  ['shell', s => `mongosh "mongodb+srv://app:${s}@c0.ab1cd.mongodb.net/prod"`, () => alnum(16)],
  ['shell', s => `net use Z: \\\\nas\\share /user:CORP\\jane ${s}`, yearly],
  [
    'shell',
    s => `Set-Cookie: sessionid=${s}; HttpOnly; Path=/; SameSite=Lax`,
    () => chars(LOWER + DIGITS, 32),
  ],
  ['shell', s => `> AUTH ${s}\nOK`, () => alnum(28)],
  ['shell', s => `zip -P ${s} -r out.zip data/`, yearly],
  ['shell', s => `7z x -p${s} archive.7z`, chosen],
  // Tables and structures.
  ['table', s => `| Service | User | Password |\n|---|---|---|\n| Grafana | admin | ${s} |`, chosen],
  ['table', s => `Host,Username,Password,Notes\nrouter1,admin,${s},"rack 4"`, yearly],
  ['table', s => `{"env":[{"name":"PORT","value":"80"},{"name":"SMTP_PASSWORD","value":"${s}"}]}`, made],
];

FORMS.forEach(([kind, form, value], id) => {
  const secret = value();
  process.stdout.write(`${JSON.stringify({ id, kind, text: form(secret), secrets: [secret] })}\n`);
});
