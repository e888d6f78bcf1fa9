//! Texts that must stay as they are.

use crate::random::{ALNUM, BASE64, DIGIT, HEX, LOWER, Random, UPPER};

/// Lines with something random or something named that is no secret.
pub fn clear(random: &mut Random) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for _ in 0..12 {
        all.extend(hashes(random));
        all.extend(encoded(random));
        all.extend(identifiers(random));
    }
    all.extend(CODE.iter().map(|line| ("code", format!("{line}\n"))));
    all.extend(PLACEHOLDERS.iter().map(|line| ("placeholder", format!("{line}\n"))));
    all
}

fn hashes(random: &mut Random) -> Vec<(&'static str, String)> {
    let hash = |random: &mut Random, length| random.text(HEX, length);
    [
        format!("commit {}\nAuthor: a\n", hash(random, 40)),
        format!("index {}..{} 100644\n", hash(random, 7), hash(random, 7)),
        format!("{}  file.tar.gz\n", hash(random, 64)),
        format!("sha256:{}\n", hash(random, 64)),
        format!("md5 = \"{}\"\n", hash(random, 32)),
        format!("ETag: \"{}\"\n", hash(random, 32)),
        format!("checksum = \"{}\"\n", hash(random, 64)),
        format!("source = \"git+https://github.com/a/b?rev={0}#{0}\"\n", hash(random, 40)),
        format!("\"integrity\": \"sha512-{}==\"\n", random.text(BASE64, 86)),
        format!("a/b v1.2.3 h1:{}=\n", random.text(BASE64, 43)),
        format!("FROM node@sha256:{}\n", hash(random, 64)),
        format!("password_hash = \"$2b$12${}\"\n", random.text(ALNUM, 53)),
        format!("  sha256 \"{}\"\n", hash(random, 64)),
        format!("uses: actions/checkout@{}\n", hash(random, 40)),
        format!("cache key: linux-cargo-{}\n", hash(random, 64)),
        format!("HEAD is now at {} token refresh\n", hash(random, 9)),
        format!("git show {}\n", hash(random, 40)),
        format!("fingerprint: SHA256:{}\n", random.text(BASE64, 43)),
        format!("\"_key\": \"{}\"\n", hash(random, 16)),
    ]
    .map(|text| ("hash", text))
    .into()
}

fn encoded(random: &mut Random) -> Vec<(&'static str, String)> {
    let lines: String = (0..6).map(|_| random.text(BASE64, 64) + "\n").collect();
    [
        format!("<img src=\"data:image/png;base64,iVBORw0KGgo{}=\">\n", random.text(BASE64, 400)),
        format!("background: url(data:font/woff2;base64,d09GMgAB{})\n", random.text(BASE64, 600)),
        format!("-----BEGIN CERTIFICATE-----\nMIID{lines}-----END CERTIFICATE-----\n"),
        format!("-----BEGIN PUBLIC KEY-----\nMIIB{lines}-----END PUBLIC KEY-----\n"),
        format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} me@host\n", random.text(BASE64, 43)),
        format!("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{}= me@host\n", random.text(BASE64, 350)),
        format!("age1{}\n", random.text("qpzry9x8gf2tvdw0s3jn54khce6mua7l", 58)),
        format!("//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz{}\n", random.text(ALNUM, 200)),
        format!("{{\"kty\":\"EC\",\"x\":\"{}\",\"y\":\"{}\"}}\n", random.text(ALNUM, 43), random.text(ALNUM, 43)),
        format!("\"AGFzbQEAAAABhgEU{}AAAAAAAAAAAAAAAA{}\"\n", random.text(BASE64, 90), random.text(BASE64, 90)),
        format!("https://b.s3.amazonaws.com/k?X-Amz-Date=20261115T000000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&v={}\n", random.below(99)),
    ]
    .map(|text| ("encoded", text))
    .into()
}

fn identifiers(random: &mut Random) -> Vec<(&'static str, String)> {
    [
        format!("id: {}\n", random.uuid()),
        format!("request_id={} status=200\n", random.uuid()),
        format!("trace_id={} span_id={}\n", random.text(HEX, 32), random.text(HEX, 16)),
        format!("{{\"id\": \"{}\", \"name\": \"token list\"}}\n", random.uuid()),
        format!("arn:aws:iam::{}:role/deploy\n", random.text(DIGIT, 12)),
        format!("i-0{} vpc-0{}\n", random.text(HEX, 16), random.text(HEX, 16)),
        format!("ObjectId(\"{}\")\n", random.text(HEX, 24)),
        format!("/static/js/main.{}.js\n", random.text(HEX, 8)),
        format!("class=\"css-{}\"\n", random.text(LOWER, 7)),
        format!("https://youtu.be/{}\n", random.text(ALNUM, 11)),
        format!("0x{} in block {}\n", random.text(HEX, 40), random.below(99999)),
        format!("import {{ {}TokenProviderFactoryBean }} from './auth';\n", random.text(UPPER, 1)),
        format!("order {}-{}\n", random.text(UPPER, 3), random.text(DIGIT, 10)),
        format!(
            "user@host:~$ kubectl get pod api-{}-{}\n",
            random.text(HEX, 10),
            random.text(LOWER, 5)
        ),
        format!("docker.io/app:{}\n", random.text(HEX, 12)),
        format!("public_key = \"{}\"\n", random.text(BASE64, 44)),
        format!("client_id: {}\n", random.uuid()),
        format!("next_page_token: {}\n", random.text(ALNUM, 24)),
    ]
    .map(|text| ("identifier", text))
    .into()
}

const PLACEHOLDERS: [&str; 46] = [
    "API_KEY=your_api_key_here",
    "API_KEY=<your-api-key>",
    "API_KEY=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "API_KEY=${API_KEY}",
    "API_KEY=$API_KEY",
    "API_KEY={{ api_key }}",
    "API_KEY=%API_KEY%",
    "API_KEY=********************",
    "API_KEY=...",
    "API_KEY=",
    "SECRET=changeme",
    "PASSWORD=password",
    "password: \"\"",
    "password: null",
    "password: ${{ secrets.DB_PASSWORD }}",
    "token: ENC[AES256_GCM,data:x]",
    "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
    "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk_test_your_key",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "xoxb-your-token",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer YOUR_TOKEN",
    "postgres://user:password@localhost:5432/db",
    "postgres://user:${DB_PASSWORD}@host/db",
    "postgres://<user>:<password>@host/db",
    "mysql://root:****@db/x",
    "redis://localhost:6379/0",
    "amqp://guest:guest@localhost:5672",
    "mongodb://localhost:27017",
    "https://user@host/x",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\n<your key>\n-----END RSA PRIVATE KEY-----",
    "key: REPLACE_ME",
    "secret: \"TODO\"",
    "token: \"REDACTED\"",
    "api_key: \"test\"",
    "client_secret: <client secret>",
    "PASSWORD=$(cat /run/secrets/db)",
    "PASSWORD=`pass show db`",
    "password = getpass()",
    "password = input(\"Password: \")",
    "--password-stdin",
    "--token-file ./token.txt",
];

const CODE: [&str; 58] = [
    "const token = process.env.GITHUB_TOKEN;",
    "token = os.environ[\"GITHUB_TOKEN\"]",
    "token := os.Getenv(\"GITHUB_TOKEN\")",
    "let token = std::env::var(\"GITHUB_TOKEN\")?;",
    "String token = System.getenv(\"GITHUB_TOKEN\");",
    "$token = getenv('GITHUB_TOKEN');",
    "token: process.env['TOKEN'] ?? ''",
    "password = config.get('db', 'password')",
    "password = settings.DATABASE_PASSWORD",
    "api_key = vault.read(\"secret/data/app\")[\"key\"]",
    "apiKey: this.configService.get('API_KEY')",
    "if password != other.password { return Err(PasswordMismatch); }",
    "fn verify_password(password: &str, hash: &str) -> bool {",
    "def set_password(self, raw_password):",
    "self.password = make_password(raw_password)",
    "<label for=\"password\">Password</label>",
    "\"passwordLabel\": \"Enter your password\",",
    "\"errors.password.tooShort\": \"Password is too short\"",
    "password: Joi.string().min(8).required(),",
    "password VARCHAR(255) NOT NULL,",
    "ALTER TABLE users ADD COLUMN api_key TEXT;",
    "SELECT token FROM sessions WHERE id = $1",
    "@Column({ name: 'access_token' }) accessToken: string;",
    "type Token = { kind: 'identifier'; value: string };",
    "match token { Token::Ident(name) => name, _ => return None }",
    "tokens.push(Token::new(TokenKind::Semicolon, span));",
    "for key, value in sorted(mapping.items()):",
    "localStorage.setItem('accessToken', response.data.accessToken)",
    "headers['Authorization'] = `Bearer ${token}`",
    "req.headers.authorization?.split(' ')[1]",
    "curl -H \"Authorization: Bearer $TOKEN\" https://api.host",
    "export const AUTH_TOKEN_STORAGE_KEY = 'auth_token';",
    "static final String PASSWORD_FIELD = \"password\";",
    "secretName: my-app-secrets",
    "secretKeyRef:\n  name: db\n  key: password",
    "valueFrom: { secretKeyRef: { name: db, key: password } }",
    "kms_key_id = aws_kms_key.main.arn",
    "key_name = \"deploy-key\"",
    "primary_key = [\"tenant_id\", \"user_id\"]",
    "partition_key = \"customer_id\"",
    "hotkey: 'ctrl+shift+p'",
    "KeyCode.ArrowDown = 40",
    "token_url = \"https://auth.host/oauth/token\"",
    "authorization_endpoint: https://auth.host/authorize",
    "secret_manager = boto3.client('secretsmanager')",
    "privateKey: fs.readFileSync('key.pem')",
    "public_key = load(path)",
    "max_tokens=4096, temperature=0.2",
    "eos_token=\"<|endoftext|>\"",
    "password_reset_timeout_seconds = 259200",
    "PASSWORD_MIN_LENGTH = 12",
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
    "grant_type=client_credentials&scope=read",
    "throw new Error('Invalid token: ' + token)",
    "// The password must be at least 8 characters long.",
    "# pass the key to the next function",
    "The token expires after 3600 seconds.",
    "csrf_token = generate_csrf()",
];

/// Forms that are nearly a secret and are none.
pub fn near(value: &str, kept: usize, random: &mut Random) -> Vec<(&'static str, String)> {
    let mut misses = Vec::new();
    if value.len() > kept + 8 {
        misses.push(("too short", value[..value.len() - value.len() / 3].to_owned()));
        let at = kept + random.below(value.len() - kept);
        let mut odd = value.to_owned();
        odd.replace_range(at..at + 1, "*");
        misses.push(("wrong alphabet", odd));
        let filler =
            value[kept..].chars().map(|letter| if letter.is_alphanumeric() { 'x' } else { letter });
        misses.push(("dummy", value[..kept].to_owned() + &filler.collect::<String>()));
    }
    misses
}
