import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anchoredScan } from '../../../src/core/sensitivity/anchored';
import { sensitiveIn } from '../../../src/core/sensitivity/credentials';
import { memberSecretsIn } from '../../../src/core/sensitivity/memberSecret';
import { isExample } from '../../../src/core/sensitivity/placeholder';
import { scanText } from '../../../src/core/sensitivity/scanTexts';
import { shellWords } from '../../../src/core/sensitivity/shellWords';
import { passwordFileLine } from '../../../src/core/sensitivity/urlPassword';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { assertLinear } from '../../fixtures/linearWork';

const generated = ['k9Q2m', 'X7vT4', 'bR8wZ', 'p3LdN'].join('');
const chosen = 'Maple!2041abc';

/** The texts of the findings of credentials. */
function found(text: string): readonly string[] {
  return [
    ...new Set(
      [...sensitiveIn(text).findings, ...memberSecretsIn(text)]
        .filter(({ label }) => label === 'restricted')
        .map(({ start, end }) => text.slice(start, end)),
    ),
  ];
}

/** Secrets are between guillemets, which are not part of the text. Each is found from its first to its last character. */
function check(marked: readonly string[], harmless: readonly string[]): void {
  for (const line of marked) {
    const secrets = [...line.matchAll(/«([^»]*)»/g)].map(([, secret = '']) => secret);
    const texts = found(line.replace(/[«»]/g, ''));
    assert.deepEqual(texts.toSorted(), [...new Set(secrets)].toSorted(), line);
  }
  for (const text of harmless) {
    assert.deepEqual(found(text), [], text);
  }
}

describe('a value under the name of a password', () => {
  it('counts with any first character', () => {
    for (const first of '#$%&(./<[{~!*+?@^_') {
      check([`password = "«${first}${generated}»"`, `DB_PASSWORD=«${first}${generated}»`], []);
    }
  });

  it('counts with dots that are no access to members, behind any number of blanks, and among other pairs', () => {
    check(
      [
        '  username: warehouse\n  password: «9Lantern.Moth»\n',
        `resource "db" "orders" {\n  password            = "«${generated}»"\n}`,
        'host=localhost user=ada password=«ibex.Ravine.6» dbname=shop',
        'set -gx RESTIC_PASSWORD "«correct-otter-parade-91»"',
        '#define WIFI_PASS  "«Bananenbrot77»"',
        'password: "«crumpet-Vortex-7»"',
        'user deploy, pw is «Herbst!Laub42» for now',
        'redis 密码改成了 «Longjing@0618»，',
      ],
      [
        'password: config.databasePassword\n',
        'password=settings.password timeout=3',
        '#define PASS_LENGTH 12',
      ],
    );
  });

  it('counts if it is short, has letters only, or is made of words', () => {
    check(
      [
        'password = "«qRtZkLpWvXcB»"',
        'password: "«IEeYtU84u2YJ4eTYwLeTOsdW»"',
        "DB_PASSWORD='«garden-button-umbrella»'",
        'password: «walnut_ember53»',
        'ansible_password: «garden-button-umbrella»',
        'passphrase = "«timber horse forest copper»"',
        'pass=«hannahMartin60»',
        '"Pwd": "«RIBBON.lantern#48»"',
        'pw: «k9Q2mX7vT4b»',
      ],
      [
        'password: string',
        'password = getPassword()',
        'password = "$DB_PASSWORD"',
        'password = "%DB_PASSWORD%"',
        'password = "<your password>"',
        'password = "#password-input"',
        'password = "current-password"',
        'password: "/run/secrets/db"',
        'password = ""',
        'password: this.form.password1',
        'exports.LONG_PASSWORD = 0x00000001;',
        'SASL_SCRAM_512_AUTH = "SASL_SCRAM_512_AUTH"',
        'arn:aws:secretsmanager:eu-west-1:111122223333:secret:Shop-a1b2c3',
        "type Check = 'fail' | 'pass' | 'unavailable';",
        'Authorization: https://quillworks.io/oauth2/v2',
        'AUTH=CRAM-MD5',
        '#ifndef OMIT_AUTHORIZATION\nsqlite3_xauth xAuth;',
      ],
    );
  });

  it('counts in blocks, prompts, scripts, columns and rows', () => {
    check(
      [
        `password: >-\n    «${chosen}»\nuser: ada`,
        `token: |\n  «${generated}»\n`,
        `AWS Secret Access Key [None]: «${generated}${generated}»`,
        `Password for ada@host: «${chosen}»`,
        `spawn ssh h\nexpect "*assword:"\nsend "«${chosen}»\\r"`,
        `child.expect('[Pp]assword:')\nchild.sendline('«${chosen}»')`,
        `| host | user | password |\n|---|---|---|\n| db1 | root | «${chosen}» |\n| db2 | root | «${generated}» |`,
        `host;login;passwort\ndb1;ada;«${chosen}»`,
        ` name | password \n------+----------\n ada  | «${chosen}»\n`,
        `INSERT INTO users (name, password) VALUES ('ada', '«${chosen}»'), ('otto', '«${generated}»');`,
        `COPY users (id, password, email) FROM stdin;\n7\t«${chosen}»\tx\n\\.`,
        `<tr><th>Password</th><td>«${chosen}»</td></tr>`,
        `DEPLOY_PASSWORD                «${chosen}»\nOS      Windows`,
        `the admin password is «${chosen}», please log in`,
        `Das Passwort für den Server lautet «${chosen}»`,
        `log in with ada / «${chosen}» on the host`,
        `api_key = ("«${generated}"\n           "${generated}»")`,
        `signingKey = process.env.SIGNING_KEY || '«${generated}»'`,
        `define('DB_USER', 'app');\\ndefine('DB_PASSWORD', '«${chosen}»');`,
        `kubectl get secret db -o jsonpath='{.data.PASSWORD}'\n«${generated}»\n$ `,
      ],
      [
        '| password | string | yes |\n',
        '  username, password, scope,\n  certfile, keyfile, registry,\n',
        'INSERT INTO users (name, password) VALUES (?, ?)',
        'expect "login:"\nsend "ada2041\\r"',
        'read / write access to a1b2c3d4',
      ],
    );
  });

  it('counts as a short number only under the names of such numbers', () => {
    check(
      [
        '{"user":"a","pin":"«4711»","cvv":"«839»","otp":"«097185»"}',
        'PIN: «4711»',
        'otp=«097185»',
        'cvv: «839»',
        'Your one-time code is «431508». It expires.',
        'unlock code of the door is «721015»',
      ],
      ['pin: 13', 'spinning: 4711', 'version code: 4711', 'otp=null'],
    );
  });
});

describe('a value beside its name in another form', () => {
  it('counts in each row of a table, up to a row of another form', () => {
    check(
      [
        'name,password\nada,«Maple!2041abc»\notto,«Ember#77quartz»\n',
        'password;name\r\n«Maple!2041abc»;ada\r\n',
        'name,password,mail\n"ada, b",«Maple!2041abc»,x\nada,Maple!2041abc\n',
        'name\tpassword\nada\t"«Maple!2041abc»"\n',
        '| user | password |\n|---|---|\n| ada | **«Maple!2041abc»** |\n| otto | `«Ember#77quartz»` |\n\nMaple, Ember!77\n',
        ' pin | id \n-----+----\n «4071» | 1 \n',
        '| cvv | user |\n|---|---|\n| «407» | 12345678 |\n',
        "INSERT INTO users (id, password) VALUES (1, '«Maple!2041abc»'), (2, '«Ember#77quartz»');",
        "INSERT INTO users (password, note) VALUES ('«Maple!2041abc»', lower('Ember#77quartz'))",
        'COPY users (password, name) FROM stdin;\n«Maple!2041abc»\tada\n«Ember#77quartz»\totto\n\\.\nBirch!99wolf\tada\n',
      ],
      [
        // One column, no rows, and a table without a line under its head.
        'password\nMaple!2041abc\n',
        'name,password\n',
        '| user | password |\n| ada | Maple!2041abc |\n',
        // Lists in code.
        'name, password\nada, Maple!2041abc\n',
        // Another number of cells, and blanks in the cell.
        'name,password\nMaple!2041abc\n',
        'name,password\nada,Maple 2041 abc!\n',
        ' pin | id \n-----+----\n 40712345678 | 1 \n',
      ],
    );
  });

  it('counts in brackets, in columns, after a number, after an arrow and in an element', () => {
    check(
      [
        `The API secret («${generated}») goes into the header.`,
        `Key         Value\n---         -----\npassword    «${generated}»\n`,
        `Unseal Key 1: «${generated}»\n`,
        `PW for the jenkins user -> «${generated}»`,
        '<property name="hibernate.connection.password">«Maple!2041abc»</property>',
        'PGPASSWORD=«Walrus67meadow?» psql -h db',
        'Das Passwort lautet «Walrusmeadow67?»',
      ],
      [
        'the API secret (RFC7519-token-format) goes into the header',
        'token       string   required',
        'password    The password of the user, at least 8 characters\n',
        '<property name="hibernate.connection.password">${db.password}</property>',
      ],
    );
  });

  it('counts as the second of a pair, and in the sentence that mentions a token', () => {
    check(
      [
        `requests.get(url, auth=("integration", "«${generated}»"))`,
        'server.login("noreply@quillworks.io", "«rizx kfnm vzjt vexd»")',
        `creds: root:«${chosen}»`,
        `use this token for the api calls «${'0f3d5c7a9b'.repeat(4)}»`,
      ],
      [
        'auth=("user", "password")',
        'page.login("user name", "welcome to the shop")',
        'login: https://quillworks.io:8080/x1',
        `this key is in commit ${'0f3d5c7a9b'.repeat(4)} of main`,
      ],
    );
  });

  it('counts in configurations of Redis and of network devices', () => {
    check(
      [
        `requirepass «${generated}»\nmaxmemory 256mb`,
        'enable secret 0 «Lagoon2018!!»\nline vty 0 4',
        'username admin privilege 15 password 0 «Walrus2017!!»',
        `snmp-server community «${generated.slice(0, 12)}» RO`,
      ],
      ['a password 8 characters long', 'secret 5 times'],
    );
  });
});

describe('a value that is something else', () => {
  it('is a number, a file, a type of key, a name to fill in, or the next line', () => {
    check(
      [`openssl rand -hex 16\n«${generated}»\n`, `SECRET_KEY=\n«${generated}»`],
      [
        '"input_cached_tokens": 2.125e-6,',
        "tool --file.private-key='ca.ecdsa.P224.pem' --sans=quillworks.io",
        'PRIVATE_KEY=server.2048.pem\n',
        'pass = \nhost_keys = ssh-ed25519 AAAAC3Nza',
        'AWS_SECRET_ACCESS_KEY=\nAWS_REGION=eu-central-1\n',
        '# openssl rand -hex 32 used only here\nENCRYPTION_KEY=00000000\n',
        "authorization'\n      DT_OAUTH2_TOKEN_URL: 'x'",
        'https://USERNAME:PERSONAL_ACCESS_TOKEN@github.com/x/y',
        'SECRET_KEY=changethis\n',
        'CLIENT_SECRET=insecure_random_secret\n',
        'redis.ParseURL("redis://<user>:<pass>@localhost:6379/<db>")',
      ],
    );
  });

  it('is the next step of a pipe, code, or the port of an address', () => {
    check(
      ['| user | password |\n|---|---|\n| ada | «Maple!2041abc» |'],
      [
        'user: {{ .Values.externalRedis.password | b64enc }}',
        'echo "$ADMIN_PASSWORD" | kdb5_util create',
        "curl -d \"{'Password':'\"'$TPP_PASS'\"'}\"",
        'ConvertTo-SecureString -String ([System.Web.Security.Membership]::GeneratePassword(40, 10))',
        '//quillworks.pw:80#@www.quillworks.io/',
        'additional arguments you wish to pass to OCRmyPDF. Since then',
        '| Version | Base | Release | amd64 / x86-64 |',
        'vault login -method=userpass username=ada7',
        'ldapsearch -x -D "cn=pwmanager" -w password -s base dn',
      ],
    );
  });

  it('is a label in a file of translations', () => {
    const texts: Record<string, string> = {
      'One-Time Password': 'Einmal-Passwort',
      Password: 'Palavra-passe',
    };
    for (let number = 0; number < 8; number += 1) {
      texts[`Enter the code ${number}`] = 'Code eingeben';
    }
    assert.deepEqual(found(JSON.stringify(texts)), []);
    assert.deepEqual(found(JSON.stringify({ ...texts, password: generated })), [generated]);
    assert.deepEqual(found(JSON.stringify({ password: 'Palavra-Passe' })), ['Palavra-Passe']);
  });
});

describe('a password in a command', () => {
  it('is found with any quotes, in strings and lists, and on the next line', () => {
    check(
      [
        `curl -u admin:'«${chosen}»' https://quillworks.io/`,
        `curl -sSu "admin:«${chosen}»" https://quillworks.io/`,
        `curl -X POST \\\n  -u admin:«${generated}» \\\n  https://quillworks.io`,
        `{"command":"curl -u \\"ada:«${generated}»\\" https://quillworks.io"}`,
        `["http","-a","ada:«${generated}»","GET"]`,
        `smbclient //h/share -U 'CORP\\ada%«${chosen}»'`,
        `lftp -u ada,«${generated}» sftp://h`,
        `sqlplus scott/«${generated}»@//db1:1521/ORCL`,
        `isql SHOP ada «${generated}»`,
        `snmpget -v3 -u ada -a SHA -A '«${chosen}»' -x AES -X '«${generated}»' h`,
        `ipmitool -H h -U ADMIN -P «${generated}» power status`,
        `xfreerdp /v:h /u:ada /p:'«${generated}»'`,
        `jarsigner -keystore k.jks -storepass «${generated}» -keypass «${chosen}» app.jar alias`,
        `twine upload -u __token__ -p «${generated}» dist/*`,
        `net user ops «velvet-shadow-barrel» /add`,
        `wget --http-password=«${generated}» https://h`,
        `mysqldump -u root -p"«${chosen}»" db > out.sql`,
        `mongosh mongodb://h -u ada -p '«k9Q2m[X7vT4»'`,
        `ldapsearch -x -D cn=admin -w «${generated}» -b dc=x`,
        `openssl rsa -passin 'pass:«${generated}»'`,
        `gpg --batch --passphrase "«kettle battery lantern needle»" -d f`,
        `htpasswd -nb ada «${generated}»`,
        `mosquitto_pub -h h -u s -P «pickle-walnut-dragon» -t t`,
        `DriverManager.getConnection(url, "ada", "«${chosen}»")`,
      ],
      [
        'mysql -u root -p shop',
        'mysql -p"$DB_PASSWORD" shop',
        'curl -u "$USER:$PASS" https://h',
        'curl -u user:password https://h',
        'identified by "x-ms-copy-id". Possible values',
        'docker run -p 8080:80 image',
        'an identity-token provider',
        'redis-cli -a "$(cat secret1)" ping',
      ],
    );
  });

  it('is read by words with their places', () => {
    const text = String.raw`x; curl -sS "a b" 'c"d' e\ f --g=$HOME > out.txt h; next`;
    const words = shellWords(text, 3);
    assert.deepEqual(
      words.map(({ value, isComputed }) => [value, isComputed]),
      [
        ['curl', false],
        ['-sS', false],
        ['a b', false],
        ['c"d', false],
        ['e f', false],
        ['--g=$HOME', true],
        ['h', false],
      ],
    );
    for (const { value, offsets } of words) {
      assert.equal(offsets.length, value.length + 1);
      assert.equal(text.charAt(offsets[0] ?? 0), value.charAt(0));
    }
  });
});

describe('other credentials', () => {
  it('are found in password files, cookies, signed addresses and tokens', () => {
    const scan = anchoredScan([passwordFileLine]);
    for (const port of ['5432', '6432', '25060', '*']) {
      const line = `db1.quillworks.io:${port}:*:shop:${generated}`;
      assert.deepEqual(
        scan(line).findings.map(({ start, end }) => line.slice(start, end)),
        [generated],
      );
    }
    assert.deepEqual(scan('ports: "127.0.0.1:5432:5432"\nat a.js:1234:5678:x').findings, []);
    check(
      [
        `#HttpOnly_.quillworks.io\tTRUE\t/\tTRUE\t1735689600\tuser_session\t«${generated}»`,
        `JSESSIONID=«${generated}»`,
        `https://d1.cloudfront.net/x?Expires=1735689600&Signature=«${generated}${generated}__»&Key-Pair-Id=K2`,
        `«M${generated}abcde.Gabc12.${generated}${generated.slice(8)}»`,
        `«tid=${'0f1e2d3c'.repeat(4)};exp=1735689600;sku=copilot_for_business_seat;st=dotcom»`,
      ],
      [
        '"sessionId":"8f3a9c01-b2d4-4e5f-8071-8293a4b5c6d7"',
        '.quillworks.io\tTRUE\t/\tFALSE\t0\ttheme\tdark-mode-2',
      ],
    );
  });

  it('are found in base64 twice, and broken into lines by a terminal', () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const encode = (text: string): string => Buffer.from(text).toString('base64');
    const twice = encode(encode(`export TOKEN=${token}\n`));
    check([`echo «${twice}» | base64 -d`], []);
    const head = 'export DEPLOYMENT_OF_THE_SHOP_GITHUB_TOKEN=';
    const width = 80 - head.length;
    const text = `$ cat .env\n${head}${token.slice(0, width)}\n${token.slice(width)}\n$ ls\n`;
    assert.ok(width < token.length);
    assert.ok(
      found(text).some(secret => secret.replace('\n', '') === token),
      text,
    );
    // The next line is another one.
    assert.deepEqual(found(`TOKEN=${token}\nexport SHOP=1`), [token]);
  });

  it('leave addresses with a password to fill in out', async () => {
    const address = 'postgres://mmuser:PASSWORD@10.0.0.1:5432/shop';
    assert.deepEqual(await scanText(address.replace('PASSWORD', '<mmuser-password>'), secretScanner), []);
    assert.notDeepEqual(await scanText(address.replace('PASSWORD', generated), secretScanner), []);
  });

  it('leave documented examples of other scanners out', async () => {
    const id = ['AKIA', 'I44QH8DHB', 'EXAMPLE'].join('');
    assert.deepEqual(await scanText(`AccessKeyId: "${id}"`, secretScanner), []);
  });

  it('are judged by their beginning, however long they are', async () => {
    await assertLinear(2 ** 20, size => 'ya29.'.repeat(size / 5), isExample);
  });
});
