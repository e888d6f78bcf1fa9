//! A fourth set: names, formats and frames that were written down before any rule was read for them.

use crate::frames::{Frame, camel, frame, kebab, snake, words};

/// Variable name and format, as in [`crate::formats`].
pub const FORMATS: [(&str, &str); 96] = [
    ("ROLLBAR_ACCESS_TOKEN", "<h32>"),
    ("BUGSNAG_API_KEY", "<h32>"),
    ("LOGGLY_TOKEN", "<U>"),
    ("SUMOLOGIC_ACCESS_KEY", "<n64>"),
    ("SIGNALFX_ACCESS_TOKEN", "<w22>"),
    ("GRAFANA_SERVICE_TOKEN", "glsa_<n32>_<h8>"),
    ("OPSGENIE_API_KEY", "<U>"),
    ("TWILIO_AUTH_TOKEN", "<h32>"),
    ("VONAGE_API_SECRET", "<n16>"),
    ("MESSAGEBIRD_ACCESS_KEY", "live_<n25>"),
    ("POSTMARK_SERVER_TOKEN", "<U>"),
    ("SPARKPOST_API_KEY", "<h40>"),
    ("SENDGRID_API_KEY", "SG.<w22>.<w43>"),
    ("STRIPE_SECRET_KEY", "sk_live_<n24>"),
    ("STRIPE_RESTRICTED_KEY", "rk_live_<n24>"),
    ("STRIPE_WEBHOOK_SECRET", "whsec_<n32>"),
    ("SHOPIFY_ACCESS_TOKEN", "shpat_<h32>"),
    ("WOOCOMMERCE_CONSUMER_SECRET", "cs_<h40>"),
    ("MAGENTO_ACCESS_TOKEN", "<a32>"),
    ("FLUTTERWAVE_SECRET_KEY", "FLWSECK-<h32>-X"),
    ("PAYSTACK_SECRET_KEY", "sk_live_<h40>"),
    ("BINANCE_SECRET_KEY", "<n64>"),
    ("KRAKEN_API_SECRET", "<b86>=="),
    ("INFURA_PROJECT_SECRET", "<h32>"),
    ("NOTION_TOKEN", "secret_<n43>"),
    ("AIRTABLE_TOKEN", "pat<n14>.<h64>"),
    ("ASANA_TOKEN", "1/<d16>:<h32>"),
    ("CLICKUP_TOKEN", "pk_<d8>_<A32>"),
    ("LINEAR_API_KEY", "lin_api_<n40>"),
    ("TRELLO_TOKEN", "ATTA<h72>"),
    ("JIRA_API_TOKEN", "ATATT3xFfGF0<w171>=<H8>"),
    ("FIGMA_TOKEN", "figd_<w40>"),
    ("ZOOM_CLIENT_SECRET", "<n32>"),
    ("SLACK_USER_TOKEN", "xoxp-<d12>-<d12>-<d12>-<h32>"),
    ("SLACK_APP_TOKEN", "xapp-1-A<A10>-<d13>-<h64>"),
    ("TELEGRAM_BOT_TOKEN", "<d10>:AA<w33>"),
    ("TWITTER_ACCESS_SECRET", "<n45>"),
    ("HUGGINGFACE_TOKEN", "hf_<m34>"),
    ("ANTHROPIC_API_KEY", "sk-ant-api03-<w93>AA"),
    ("OPENAI_API_KEY", "sk-proj-<w74>T3BlbkFJ<w74>"),
    ("GROQ_API_KEY", "gsk_<n52>"),
    ("REPLICATE_API_TOKEN", "r8_<n37>"),
    ("PERPLEXITY_API_KEY", "pplx-<n48>"),
    ("COHERE_API_KEY", "<n40>"),
    ("GEMINI_API_KEY", "AIzaSy<w33>"),
    ("XAI_API_KEY", "xai-<n80>"),
    ("OPENROUTER_API_KEY", "sk-or-v1-<h64>"),
    ("CEREBRAS_API_KEY", "csk-<a48>"),
    ("LANGSMITH_API_KEY", "lsv2_pt_<h32>_<h10>"),
    ("PINECONE_API_KEY", "pcsk_<n6>_<n63>"),
    ("SUPABASE_ACCESS_TOKEN", "sbp_<h40>"),
    ("PLANETSCALE_PASSWORD", "pscale_pw_<w43>"),
    ("RENDER_API_KEY", "rnd_<n28>"),
    ("VERCEL_TOKEN", "<n24>"),
    ("NETLIFY_AUTH_TOKEN", "nfp_<n40>"),
    ("HEROKU_API_KEY", "<U>"),
    ("DIGITALOCEAN_TOKEN", "dop_v1_<h64>"),
    ("LINODE_TOKEN", "<h64>"),
    ("HCLOUD_TOKEN", "<n64>"),
    ("SCW_SECRET_KEY", "<U>"),
    ("CLOUDFLARE_API_TOKEN", "<w40>"),
    ("FASTLY_API_TOKEN", "<w32>"),
    ("AWS_ACCESS_KEY_ID", "AKIA<216>"),
    ("AWS_SECRET_ACCESS_KEY", "<b40>"),
    ("GOOGLE_CLIENT_SECRET", "GOCSPX-<w28>"),
    ("AZURE_CLIENT_SECRET", "<n3>8Q~<n34>"),
    ("AZURE_STORAGE_KEY", "<b86>=="),
    ("NPM_TOKEN", "npm_<c36>"),
    ("RUBYGEMS_API_KEY", "rubygems_<h48>"),
    ("CARGO_REGISTRY_TOKEN", "cio<n32>"),
    ("DOCKERHUB_TOKEN", "dckr_pat_<w27>"),
    ("GITHUB_TOKEN", "ghp_<c36>"),
    ("GH_PAT", "github_pat_11<A20>_<n59>"),
    ("GITLAB_TOKEN", "glpat-<w20>"),
    ("BUILDKITE_API_TOKEN", "bkua_<h40>"),
    ("TFE_TOKEN", "<n14>.atlasv1.<n67>"),
    ("VAULT_TOKEN", "hvs.CAES<w88>"),
    ("DOPPLER_TOKEN", "dp.st.prd.<n43>"),
    ("OKTA_API_TOKEN", "00<w40>"),
    ("AUTH0_CLIENT_SECRET", "<w64>"),
    ("DD_API_KEY", "<h32>"),
    ("DD_APP_KEY", "<h40>"),
    ("NEW_RELIC_API_KEY", "NRAK-<A27>"),
    ("SONAR_TOKEN", "squ_<h40>"),
    ("POSTMAN_API_KEY", "PMAK-<h24>-<h34>"),
    ("ALGOLIA_ADMIN_KEY", "<h32>"),
    ("MAPBOX_SECRET_TOKEN", "sk.eyJ1Ijoi<w70>.<w22>"),
    ("SESSION_SECRET", "<w48>"),
    ("JWT_SECRET", "<b43>="),
    ("NEXTAUTH_SECRET", "<b43>="),
    ("DJANGO_SECRET_KEY", "<n50>"),
    ("RAILS_MASTER_KEY", "<h32>"),
    ("LARAVEL_APP_KEY", "base64:<b43>="),
    ("ENCRYPTION_KEY", "<h64>"),
    ("WEBHOOK_SIGNING_SECRET", "<n40>"),
    ("SERVICE_ROLE_KEY", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJyb2xlIjoi<w80>.<w43>"),
];

/// Terminals, logs of CI, infrastructure, languages and people.
pub const FRAMES: [Frame; 64] = [
    frame("zsh prompt", |name, value| format!("❯ export {name}={value}\n❯ make run\n")),
    frame("root prompt", |name, value| format!("root@web-1:/srv# echo ${name}\n{name}={value}\n")),
    frame("printenv", |name, value| {
        format!("LANG=C.UTF-8\n{name}={value}\nSHLVL=1\n_=/usr/bin/env\n")
    }),
    frame("inline run", |name, value| {
        format!("{name}={value} RUST_LOG=debug cargo run --release\n")
    }),
    frame("actions log", |name, value| {
        format!(
            "2026-11-16T10:00:00.1234567Z env:\n2026-11-16T10:00:00.1234567Z   {name}: {value}\n"
        )
    }),
    frame("gitlab log", |name, value| {
        format!(
            "\u{1b}[0Ksection_start:1763287200:step\r\u{1b}[0K\u{1b}[32;1m$ deploy --{0}={value}\u{1b}[0;m\n",
            kebab(name)
        )
    }),
    frame("buildkit", |name, value| format!("#12 0.345 + export {name}={value}\n#12 DONE 0.4s\n")),
    frame("jenkins", |name, value| {
        format!("[Pipeline] sh\n+ curl -s -H 'X-Token: {value}' https://ci/{}\n", snake(name))
    }),
    frame("pod describe", |name, value| {
        format!("    Environment:\n      {name}:  {value}\n      PORT:  80\n")
    }),
    frame("pod json", |name, value| {
        format!("{{\"env\":[{{\"name\":\"{name}\",\"value\":\"{value}\"}}]}}\n")
    }),
    frame("tfvars", |name, value| {
        format!("region        = \"eu\"\n{:<13} = \"{value}\"\n", snake(name))
    }),
    frame("terraform output", |name, value| {
        format!(
            "{{\n  \"{}\": {{\n    \"sensitive\": true,\n    \"type\": \"string\",\n    \"value\": \"{value}\"\n  }}\n}}\n",
            snake(name)
        )
    }),
    frame("pulumi", |name, value| format!("pulumi config set --secret {} {value}\n", camel(name))),
    frame("helm values", |name, value| {
        format!("app:\n  secrets:\n    {}: '{value}'\n", camel(name))
    }),
    frame("parameter pair", |name, value| {
        format!("--parameters ParameterKey={},ParameterValue={value}\n", camel(name))
    }),
    frame("arm parameter", |name, value| {
        format!("\"{}\": {{ \"value\": \"{value}\" }}\n", camel(name))
    }),
    frame("az settings", |name, value| {
        format!("az webapp config appsettings set -n app --settings {name}={value} A=1\n")
    }),
    frame("gcloud", |name, value| {
        format!("gcloud run deploy x --set-env-vars={name}={value},A=b\n")
    }),
    frame("lambda", |name, value| {
        format!(
            "aws lambda update-function-configuration --environment \"Variables={{{name}={value}}}\"\n"
        )
    }),
    frame("serverless", |name, value| format!("    {name}: ${{env:{name}, '{value}'}}\n")),
    frame("android strings", |name, value| {
        format!("    <string name=\"{}\">{value}</string>\n", snake(name))
    }),
    frame("xcconfig", |name, value| format!("// prod\n{name} = {value}\n")),
    frame("spring", |name, value| format!("app:\n  security:\n    {}: {value}\n", kebab(name))),
    frame("dotnet", |name, value| {
        format!("{{ \"Auth\": {{ \"{}\": \"{value}\" }} }}\n", camel(name))
    }),
    frame("basic", |name, value| format!("    Const {name} As String = \"{value}\"\n")),
    frame("pascal", |name, value| format!("  {} := '{value}';\n", camel(name))),
    frame("matlab", |name, value| format!("{} = '{value}';\n", snake(name))),
    frame("julia", |name, value| format!("ENV[\"{name}\"] = \"{value}\"\n")),
    frame("erlang", |name, value| format!("  {{{}, \"{value}\"}},\n", snake(name))),
    frame("emacs", |name, value| format!("(setenv \"{name}\" \"{value}\")\n")),
    frame("lisp", |name, value| format!("(defvar {} \"{value}\")\n", kebab(name))),
    frame("vim", |name, value| format!("let g:{} = '{value}'\n", snake(name))),
    frame("haskell", |name, value| {
        format!("{} :: Text\n{} = \"{value}\"\n", camel(name), camel(name))
    }),
    frame("nginx", |name, value| {
        format!("    proxy_set_header X-{} \"{value}\";\n", name.replace('_', "-"))
    }),
    frame("apache", |name, value| format!("SetEnv {name} \"{value}\"\n")),
    frame("postman", |name, value| {
        format!("{{ \"key\": \"{}\", \"value\": \"{value}\", \"enabled\": true }}\n", snake(name))
    }),
    frame("graphql", |name, value| {
        format!("{{\"query\":\"mutation\",\"variables\":{{\"{}\":\"{value}\"}}}}\n", camel(name))
    }),
    frame("chat log", |name, value| {
        format!("[10:32] bob: the {} is {value}\n[10:33] eve: thanks\n", words(name))
    }),
    frame("mail", |name, value| format!("> On Monday Bob wrote:\n> {name} = {value}\n> Bye\n")),
    frame("fence", |name, value| format!("```sh\nexport {name}=\"{value}\"\n```\n")),
    frame("notebook output", |name, value| {
        format!("     \"text\": [\"{name}={value}\\n\", \"ok\\n\"]\n")
    }),
    frame("notebook magic", |name, value| format!("\"%env {name}={value}\\n\",\n")),
    frame("side by side", |name, value| format!("{name}=                | {name}={value}\n")),
    frame("commit show", |name, value| {
        format!("@@ -3,6 +3,7 @@ const x = {{\n   port: 80,\n+  {}: \"{value}\",\n", camel(name))
    }),
    frame("word diff", |name, value| format!("{name}=[-changeme-]{{+{value}+}}\n")),
    frame("patch in json", |name, value| {
        format!("{{\"patch\":\"@@ -1 +1 @@\\n-{name}=\\n+{name}={value}\\n\"}}\n")
    }),
    frame("locals", |name, value| format!("    {} = '{value}'\nKeyError: 'x'\n", snake(name))),
    frame("node inspect", |name, value| {
        format!("{{\n  port: 80,\n  {}: '{value}'\n}}\n", camel(name))
    }),
    frame("ruby inspect", |name, value| {
        format!("#<Client:0x0001 @{}=\"{value}\", @n=1>\n", snake(name))
    }),
    frame("java record", |name, value| format!("Config[{}={value}, port=80]\n", camel(name))),
    frame("go fields", |name, value| format!("{{{}:{value} Port:80}}\n", camel(name))),
    frame("php dump", |name, value| {
        format!("  [\"{}\"]=>\n  string({}) \"{value}\"\n", snake(name), value.len())
    }),
    frame("php print", |name, value| format!("    [{}] => {value}\n", snake(name))),
    frame("dataclass", |name, value| format!("    {}: str = \"{value}\"\n", snake(name))),
    frame("field default", |name, value| {
        format!("    {}: str = Field(default=\"{value}\")\n", snake(name))
    }),
    frame("argument default", |name, value| {
        format!("p.add_argument(\"--{}\", default=\"{value}\")\n", kebab(name))
    }),
    frame("keyword bytes", |name, value| format!("client = Client({}=b'{value}')\n", snake(name))),
    frame("token header", |_, value| {
        format!("http GET api.host Authorization:\"Token {value}\"\n")
    }),
    frame("registry file", |_, value| format!("//registry.host/:_authToken={value}\n")),
    frame("remote", |_, value| {
        format!("origin\thttps://oauth2:{value}@git.host/a/b.git (fetch)\n")
    }),
    frame("login", |_, value| format!("docker login -u bob -p {value} registry.host\n")),
    frame("cookie", |_, value| format!("Set-Cookie: session={value}; Path=/; HttpOnly\n")),
    frame("comment", |name, value| format!("    // TODO remove: {name} = {value}\n")),
    frame("toml inline", |name, value| format!("env = {{ {name} = \"{value}\", A = \"b\" }}\n")),
];

/// Texts of other kinds, the secrets between `«` and `»`.
pub const DOCUMENTS: [(&str, &str); 66] = [
    ("redis url", "REDIS_URL=rediss://default:«<n32>»@eu1-fox-1.upstash.io:6379\n"),
    ("mongo url", "mongodb+srv://app:«<n12>»@cluster0.ab1cd.mongodb.net/prod?retryWrites=true\n"),
    ("amqp url", "broker = 'amqps://svc:«<n20>»@b-1.mq.eu-west-1.amazonaws.com:5671/'\n"),
    ("mysql url", "DATABASE_URL=\"mysql://root:«<n8>%40<d2>»@db:3306/shop?ssl=true\"\n"),
    ("sqlalchemy", "create_engine('postgresql+psycopg2://u:«<n10>»@10.0.0.5/x')\n"),
    ("jdbc", "spring.datasource.url=jdbc:postgresql://h:5432/d?user=a&password=«<n14>»&ssl=true\n"),
    (
        "jdbc sqlserver",
        "jdbc:sqlserver://h:1433;databaseName=d;user=sa;password=«<n12>!»;encrypt=true\n",
    ),
    ("oracle", "jdbc:oracle:thin:scott/«<n10>»@//h:1521/svc\n"),
    ("ado", "Server=tcp:x.database.windows.net,1433;User ID=a;Password=«<n16>»;Encrypt=True;\n"),
    ("odbc", "Driver={ODBC Driver 18 for SQL Server};Server=h;UID=a;PWD=«<n14>»;\n"),
    ("libpq", "psql \"host=h port=5432 user=a password=«<n12>» dbname=d sslmode=require\"\n"),
    (
        "storage string",
        "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=«<b86>==»;EndpointSuffix=core.windows.net\n",
    ),
    (
        "service bus",
        "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«<b43>=»\n",
    ),
    ("cosmos", "AccountEndpoint=https://acme.documents.azure.com:443/;AccountKey=«<b86>==»;\n"),
    ("iot hub", "HostName=h.azure-devices.net;DeviceId=d1;SharedAccessKey=«<b43>=»\n"),
    (
        "shared access",
        "https://acme.blob.core.windows.net/c/f?sv=2023-11-03&sp=r&se=2027-01-01&sr=b&sig=«<n20>%2B<n20>%3D»\n",
    ),
    (
        "presigned",
        "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20261116T000000Z&X-Amz-Expires=60&X-Amz-Signature=«<h64>»\n",
    ),
    ("ftp url", "lftp ftp://deploy:«<n10>»@ftp.host/www\n"),
    ("smtp url", "EMAIL_URL=smtp://mailer:«<n16>»@smtp.host:587\n"),
    ("proxy url", "https_proxy=http://bob:«<n9>»@proxy.corp:3128\n"),
    ("ldap", "ldapsearch -x -D cn=admin,dc=x -w «<n12>» -b dc=x\n"),
    ("sentry dsn", "SENTRY_DSN=https://<h32>:«<h32>»@o1.ingest.sentry.io/12\n"),
    ("basic auth flag", "curl -u admin:«<n14>» https://host/api\n"),
    ("basic auth long", "curl --user 'svc:«<n11>!»' https://host/\n"),
    ("mysql flag", "mysqldump -h db -uroot -p«<n10>7» shop\n"),
    ("sshpass", "sshpass -p '«<n8>#<d2>»' ssh bob@host\n"),
    ("pgpassword", "PGPASSWORD=«<n13>» pg_dump -h db -U a shop\n"),
    ("netrc", "machine api.host\n  login bob\n  password «<n15>»\n"),
    ("netrc line", "machine git.host login bob password «<n18>»\n"),
    ("pypirc", "[pypi]\nusername = bob\npassword = «<n22>»\n"),
    ("docker config", "{\"auths\":{\"r.io\":{\"auth\":\"«Ym9iOl<n20>»\"}}}\n"),
    ("kube token", "users:\n- name: a\n  user:\n    token: «<n48>»\n"),
    ("kube password", "users:\n- name: a\n  user:\n    username: b\n    password: «<n16>»\n"),
    ("git credentials", "https://bob:«<n24>»@github.host\n"),
    ("maven", "<server><id>x</id><username>b</username><password>«<n14>»</password></server>\n"),
    ("gradle", "mavenPassword=«<n14>»\norg.gradle.jvmargs=-Xmx2g\n"),
    ("nuget config", "<add key=\"ClearTextPassword\" value=\"«<n20>»\" />\n"),
    ("ansible vars", "ansible_become_password: «<n12>!»\nansible_user: bob\n"),
    ("wpa", "network={\n  ssid=\"Home\"\n  psk=\"«<n14>»\"\n}\n"),
    ("wireguard", "[Interface]\nPrivateKey = «<b43>=»\nAddress = 10.0.0.2/32\n"),
    ("wordpress", "define( 'DB_PASSWORD', '«<n12>$»' );\n"),
    ("wordpress salt", "define('AUTH_SALT', '«<n40>!<n20>»');\n"),
    ("htpasswd cli", "htpasswd -bc .htpasswd bob «<n10>»\n"),
    ("openssl", "openssl enc -aes-256-cbc -k «<n16>» -in a -out b\n"),
    ("create user", "CREATE USER app WITH PASSWORD '«<n14>»';\n"),
    ("identified by", "CREATE USER 'a'@'%' IDENTIFIED BY '«<n12>!»';\n"),
    ("grafana ini", "[security]\nadmin_user = admin\nadmin_password = «<n12>»\n"),
    ("redis conf", "requirepass «<n24>»\nmaxmemory 1gb\n"),
    ("rabbit", "default_pass = «<n16>»\n"),
    ("redis cli", "redis-cli -h h -a «<n20>» ping\n"),
    ("mongo cli", "mongosh -u admin -p «<n14>» --authenticationDatabase admin\n"),
    ("chat password", "hi, login is bob@x.org / password: «<n9>!» cheers\n"),
    ("chat german", "Das Passwort lautet «<n10>!», bitte ändern.\n"),
    ("chat french", "Le mot de passe est «<n10>!» pour la prod.\n"),
    ("chat spanish", "La contraseña es «<n10>!» (no compartir)\n"),
    (
        "jwt cookie",
        "Cookie: theme=dark; access_token=«eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI<w30>.<w43>»; a=b\n",
    ),
    ("php session", "Cookie: PHPSESSID=«<a26>»; theme=dark\n"),
    ("django session", "Cookie: sessionid=«<a32>»\n"),
    ("connect sid", "Cookie: connect.sid=«s%3A<w32>.<n43>»\n"),
    (
        "encrypted token",
        "id_token: «eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.<w342>.<w16>.<w80>.<w22>»\n",
    ),
    (
        "signed token",
        "{\"access_token\":\"«eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJhdWQiOiI<w80>.<w342>»\",\"token_type\":\"bearer\"}\n",
    ),
    ("refresh token", "{\"refresh_token\":\"«1//0<w98>»\",\"expires_in\":3599}\n"),
    ("webhook", "https://hooks.slack.com/services/T<A10>/B<A10>/«<n24>»\n"),
    ("discord webhook", "https://discord.com/api/webhooks/<d18>/«<w68>»\n"),
    ("otp", "otpauth://totp/Acme:bob?secret=«<232>»&issuer=Acme\n"),
    ("two on a line", "AWS_ACCESS_KEY_ID=«AKIA<216>» AWS_SECRET_ACCESS_KEY=«<b40>» aws s3 ls\n"),
];
