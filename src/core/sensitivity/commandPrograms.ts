/** The ways in which a program takes a password. Options are separated by blanks. */
export interface PasswordProgram {
  /** The program and possibly its first words. A star stands for any rest of the program's name. */
  readonly names: readonly string[];
  /** The next word is the password, or the rest of the word after the option or after `=` or `:`. */
  readonly password?: string;
  /** Only the rest of the word. */
  readonly attached?: string;
  /** The same as `password`, and the password follows a separator: `user:password`. */
  readonly pair?: string;
  readonly separator?: string;
  /** The same as `password`, and the password follows a text such as `pass:`. */
  readonly prefixed?: readonly [options: string, prefix: string];
  /** A word without a dash that is the password, counted from 1 after the name. */
  readonly position?: number;
  /** The word at that position is `user/password@…`, `user:password` or similar: the pattern of the password. */
  readonly form?: RegExp;
  /** Another word that must be there. */
  readonly needs?: RegExp;
  /** The one-letter options may share a dash, as in `-sSu`. */
  readonly isClustered?: boolean;
}

const container = 'docker podman nerdctl buildah skopeo crane oras helm regctl'.split(' ');

/**
 * Programs by how they take a password, from their manuals. Options such as `--password` and `--token` are found after
 * every program, by their names. A name that ends with a blank is also a common word.
 */
export const passwordPrograms: readonly PasswordProgram[] = [
  // Transfers.
  {
    names: ['curl'],
    pair: '-u --user -U --proxy-user --cert -E',
    password: '--pass --proxy-pass --oauth2-bearer --tlspassword --proxy-tlspassword',
    isClustered: true,
  },
  { names: ['wget', 'aria2c'], password: '--http-passwd --ftp-passwd --http-password --ftp-password' },
  { names: ['http ', 'https ', 'xh ', 'xhs '], pair: '-a --auth' },
  { names: ['http ', 'https ', 'xh '], password: '-a --auth', needs: /^(?:bearer|-A=?bearer)$/ },
  { names: ['lftp'], pair: '-u --user', separator: ',' },
  { names: ['ncftp', 'ncftpput', 'ncftpget', 'ncftpls'], password: '-p' },
  { names: ['curlftpfs'], prefixed: ['-o', 'user='], separator: ':' },
  { names: ['swaks'], password: '-ap --auth-password' },
  { names: ['sendemail', 'sendEmail'], password: '-xp' },
  { names: ['imapsync'], password: '--password1 --password2' },
  { names: ['ab -', 'nikto', 'wfuzz'], pair: '-A -P -id --basic' },
  { names: ['sqlmap'], pair: '--auth-cred --proxy-cred' },
  // Windows and its networks.
  {
    names: [
      'smbclient',
      'rpcclient',
      'smbget',
      'smbcacls',
      'winexe',
      'wmic -U',
      'net ads',
      'net rpc',
      'wbinfo',
    ],
    pair: '-U --user -a',
    separator: '%',
  },
  {
    names: [
      'smbmap',
      'crackmapexec',
      'netexec',
      'nxc ',
      'evil-winrm',
      'bloodhound-python',
      'certipy',
      'hydra',
      'medusa',
    ],
    password: '-p',
  },
  {
    names: [
      'secretsdump.py',
      'psexec.py',
      'wmiexec.py',
      'smbexec.py',
      'GetUserSPNs.py',
      'mssqlclient.py',
      'impacket-',
    ],
    position: 1,
    form: /^[^:@]{1,80}:(?<value>.+)@/d,
  },
  { names: ['xfreerdp', 'wlfreerdp', 'sdl-freerdp', 'wfreerdp'], attached: '/p: /gp:' },
  {
    names: ['xfreerdp', 'rdesktop', 'racadm', 'ilorest', 'redfishtool', 'ipmipower', 'ipmi-sensors'],
    password: '-p',
  },
  { names: ['ipmitool', 'mosquitto_', 'sqlcmd', 'osql ', 'isql ', 'tsql ', 'bcp ', 'sqsh '], password: '-P' },
  {
    names: ['cmdkey', 'winscp', 'WinSCP', 'ktpass', 'schtasks', 'wmic '],
    attached: '/pass: /password: /password= /rp:',
  },
  { names: ['cmdkey', 'ktpass', 'schtasks'], password: '/pass /rp' },
  { names: ['net user'], position: 2 },
  { names: ['ConvertTo-SecureString'], position: 1 },
  { names: ['ConvertTo-SecureString'], password: '-String' },
  { names: ['sysadminctl'], password: '-password -adminPassword -newPassword' },
  { names: ['dscl '], position: 3, needs: /^-?passwd$/ },
  // Databases and queues.
  {
    names: [
      'mysql',
      'mysqldump',
      'mysqladmin',
      'mysqlimport',
      'mysqlcheck',
      'mysqlshow',
      'mysqlpump',
      'mysqlsh',
    ],
    attached: '-p',
  },
  {
    names: ['mariadb', 'mariadb-dump', 'mariadb-admin', 'innobackupex', 'pt-query-digest', 'mycli'],
    attached: '-p',
  },
  {
    names: ['mycli', 'mydumper', 'myloader', 'cypher-shell', 'couchbase-cli', 'cqlsh', 'beeline'],
    password: '-p',
  },
  {
    names: [
      'mongo',
      'mongosh',
      'mongodump',
      'mongorestore',
      'mongoexport',
      'mongoimport',
      'mongostat',
      'mongotop',
    ],
    password: '-p',
  },
  { names: ['redis-cli', 'valkey-cli', 'keydb-cli', 'redis-benchmark'], password: '-a --pass AUTH auth' },
  {
    names: ['sqlplus', 'sqlcl', 'rman', 'expdp', 'impdp', 'sqlldr'],
    position: 1,
    form: /^(?:userid=)?[\w$#.-]{1,80}\/(?<value>[^/@\s"]{1,80})(?:@|$)/d,
  },
  { names: ['isql ', 'iusql'], position: 3 },
  { names: ['nodetool'], password: '-pw' },
  { names: ['vsql', 'nzsql'], password: '-w' },
  { names: ['influx ', 'clickhouse-client', 'flyway'], password: '-password --password' },
  { names: ['snowsql'], password: '--private-key-passphrase' },
  { names: ['db2 '], password: 'using USING' },
  { names: ['neo4j-admin'], position: 1, needs: /^set-(?:initial|default)-/ },
  { names: ['neo4j-admin dbms set-initial-password', 'neo4j-admin set-initial-password'], position: 1 },
  {
    names: ['rabbitmqctl add_user', 'rabbitmqctl change_password', 'rabbitmqctl authenticate_user'],
    position: 2,
  },
  { names: ['rabbitmqadmin'], password: '-p' },
  { names: ['kafkacat', 'kcat'], prefixed: ['-X', 'sasl.password='] },
  // Directories, monitoring, keys.
  {
    names: ['ldapsearch', 'ldapmodify', 'ldapadd', 'ldapdelete', 'ldapwhoami'],
    password: '-w',
  },
  { names: ['ldappasswd'], password: '-w -s -a' },
  // Lines of configurations: Redis, network devices, where a digit names the encryption.
  {
    names: [
      'requirepass',
      'masterauth',
      'snmp-server community',
      ...['password', 'secret'].flatMap(name => [0, 5, 7, 8, 9].map(kind => `${name} ${kind}`)),
    ],
    position: 1,
  },
  { names: ['slappasswd'], password: '-s' },
  { names: ['samba-tool user create', 'samba-tool user add'], position: 2 },
  {
    names: [
      'snmpget',
      'snmpwalk',
      'snmpset',
      'snmpbulkwalk',
      'snmpbulkget',
      'snmpgetnext',
      'snmptable',
      'snmpstatus',
      'snmptrap',
    ],
    password: '-c -A -X',
  },
  { names: ['onesixtyone'], position: 2 },
  {
    names: ['keytool', 'jarsigner'],
    password: '-storepass -keypass -srcstorepass -deststorepass -destkeypass -srckeypass -new',
  },
  { names: ['apksigner', 'bundletool'], prefixed: ['--ks-pass --key-pass', 'pass:'] },
  { names: ['signtool', 'SignTool'], password: '/p' },
  { names: ['osslsigncode'], password: '-pass' },
  { names: ['azuresigntool', 'AzureSignTool'], password: '-kvs' },
  { names: ['security unlock-keychain', 'security create-keychain', 'unlock-keychain'], password: '-p' },
  { names: ['security import'], password: '-P' },
  { names: ['security add-generic-password', 'security add-internet-password'], password: '-w' },
  { names: ['security set-key-partition-list'], password: '-k' },
  { names: ['openssl'], prefixed: ['-pass -passin -passout -password', 'pass:'] },
  { names: ['openssl enc', 'openssl aes-', 'openssl des'], password: '-k -K' },
  { names: ['openssl passwd', 'mkpasswd', 'wpa_passphrase', 'rclone obscure'], position: 1 },
  { names: ['wpa_passphrase'], position: 2 },
  { names: ['gpg ', 'gpg2 ', 'borg ', 'restic'], password: '--passphrase' },
  { names: ['gpg-preset-passphrase'], password: '-P' },
  { names: ['htpasswd', 'htdigest'], position: 3, needs: /^-[a-zA-Z]*b[a-zA-Z]*$/ },
  { names: ['htpasswd'], position: 2, needs: /^-[a-zA-Z]*(?:nb|bn)[a-zA-Z]*$/ },
  { names: ['useradd', 'usermod'], password: '-p' },
  { names: ['caddy hash-password'], password: '-p --plaintext' },
  { names: ['bw unlock'], position: 1 },
  { names: ['bw login'], position: 2 },
  { names: ['sshpass'], password: '-p' },
  { names: ['plink', 'pscp', 'psftp', 'klink'], password: '-pw' },
  { names: ['ssh-keygen'], password: '-N -P' },
  { names: ['networksetup -setairportnetwork'], position: 3 },
  {
    names: ['nmcli', 'iwctl'],
    password: 'password --passphrase wifi-sec.psk 802-11-wireless-security.psk 802-1x.password',
  },
  { names: ['netsh'], attached: 'key= keyMaterial=' },
  // Archives and documents.
  { names: ['zip ', 'unzip ', 'zipcloak'], password: '-P', isClustered: true },
  { names: ['7z ', '7za ', '7zr ', '7zz ', 'rar ', 'unrar '], attached: '-p -hp' },
  { names: ['pdftk'], password: 'user_pw owner_pw input_pw' },
  { names: ['pdftotext', 'pdfinfo', 'pdfimages', 'pdftoppm'], password: '-upw -opw' },
  { names: ['qpdf --encrypt'], position: 1 },
  { names: ['qpdf --encrypt'], position: 2 },
  // Packages, containers, clouds.
  { names: ['twine'], password: '-p' },
  { names: ['poetry config http-basic.'], position: 2 },
  { names: ['poetry config pypi-token.'], position: 1 },
  { names: ['poetry publish'], password: '-p' },
  { names: ['uv publish'], password: '-p -t' },
  {
    names: ['nuget push', 'choco push', 'gem push', 'dotnet nuget'],
    password: '-k --key -ApiKey -apikey -Password -p',
  },
  {
    names: container,
    password: '-p',
    pair: '--creds --src-creds --dest-creds',
    needs: /^(?:login|copy|inspect|push|pull|sync|build)$/,
  },
  {
    names: ['oc login', 'az login', 'cf login', 'ibmcloud login', 'jf rt', 'jf config'],
    password: '-p --apikey',
  },
  {
    names: [
      'cargo login',
      'snyk auth',
      'vault login',
      'ngrok authtoken',
      'add-authtoken',
      'wandb login',
      'surge login',
      'doppler configure set token',
    ],
    position: 1,
  },
  { names: ['doctl', 'glab', 'codecov', 'vercel'], password: '-t --auth' },
  { names: ['gh secret set', 'gh variable set'], password: '-b --body' },
  { names: ['glab variable set'], password: '-v --value' },
  {
    names: ['keyvault secret set', 'secretsmanager', 'secret put', 'create-secret', 'ssm put-parameter'],
    password: '--value --secret-string',
  },
  { names: ['mc alias set', 'mc config host add'], position: 4 },
  { names: ['openstack', 'swift '], password: '--os-password -K' },
  { names: ['tailscale up', 'tailscale login'], password: '--authkey --auth-key' },
  {
    names: ['sonar-scanner', 'SonarScanner', 'mvn ', 'gradle', 'gradlew'],
    attached: '-Dsonar.login= -Dsonar.token= /d:sonar.login= /d:sonar.token=',
  },
  {
    names: ['composer config', 'composer global config'],
    position: 1,
    needs: /^(?:github-oauth|gitlab-token|gitlab-oauth|bearer)\./,
  },
  { names: ['composer config', 'composer global config'], position: 2, needs: /^http-basic\./ },
  { names: ['p4 '], password: '-P' },
];
