//! A second set of key formats, written apart from the rule files and not used to tune them.
//!
//! Each line is a usual variable name and the format as its provider publishes it:
//! `<h32>` stands for 32 hexadecimal digits, and so on for the other classes.

use crate::random::{ALNUM, DIGIT, HEX, LOWER, Random, UPPER};

/// Variable name and format.
pub const FORMATS: [(&str, &str); 176] = [
    ("AWS_ACCESS_KEY_ID", "AKIA<216>"),
    ("AWS_ACCESS_KEY_ID", "ASIA<216>"),
    ("AWS_SECRET_ACCESS_KEY", "<b40>"),
    ("AWS_BEARER_TOKEN_BEDROCK", "ABSK<n108>=="),
    ("GITHUB_TOKEN", "ghp_<c36>"),
    ("GH_TOKEN", "gho_<c36>"),
    ("GITHUB_TOKEN", "ghs_<c36>"),
    ("GITHUB_TOKEN", "ghu_<c36>"),
    ("GITHUB_PAT", "github_pat_<n22>_<n59>"),
    ("GITLAB_TOKEN", "glpat-<w20>"),
    ("GITLAB_TOKEN", "glpat-<w27>.01.<a9>"),
    ("CI_DEPLOY_TOKEN", "gldt-<w20>"),
    ("GITLAB_RUNNER_TOKEN", "glrt-<w20>"),
    ("NPM_TOKEN", "npm_<c36>"),
    ("PYPI_TOKEN", "pypi-AgEIcHlwaS5vcmc<w160>"),
    ("CARGO_REGISTRY_TOKEN", "cio<n32>"),
    ("RUBYGEMS_API_KEY", "rubygems_<h48>"),
    ("DOCKERHUB_TOKEN", "dckr_pat_<w27>"),
    ("HF_TOKEN", "hf_<m34>"),
    ("OPENAI_API_KEY", "sk-proj-<w74>T3BlbkFJ<w74>"),
    ("OPENAI_API_KEY", "sk-<n20>T3BlbkFJ<n20>"),
    ("OPENAI_ADMIN_KEY", "sk-admin-<w58>T3BlbkFJ<w58>"),
    ("ANTHROPIC_API_KEY", "sk-ant-api03-<w93>AA"),
    ("ANTHROPIC_ADMIN_KEY", "sk-ant-admin01-<w93>AA"),
    ("GROQ_API_KEY", "gsk_<n52>"),
    ("PERPLEXITY_API_KEY", "pplx-<n48>"),
    ("XAI_API_KEY", "xai-<n80>"),
    ("REPLICATE_API_TOKEN", "r8_<n37>"),
    ("FIREWORKS_API_KEY", "fw_<n22>"),
    ("OPENROUTER_API_KEY", "sk-or-v1-<h64>"),
    ("DEEPSEEK_API_KEY", "sk-<h32>"),
    ("MISTRAL_API_KEY", "<n32>"),
    ("COHERE_API_KEY", "<n40>"),
    ("TOGETHER_API_KEY", "<h64>"),
    ("CEREBRAS_API_KEY", "csk-<a48>"),
    ("NVIDIA_API_KEY", "nvapi-<w64>"),
    ("TAVILY_API_KEY", "tvly-dev-<n32>"),
    ("EXA_API_KEY", "<U>"),
    ("FIRECRAWL_API_KEY", "fc-<h32>"),
    ("LANGCHAIN_API_KEY", "lsv2_pt_<h32>_<h10>"),
    ("LANGFUSE_SECRET_KEY", "sk-lf-<U>"),
    ("PINECONE_API_KEY", "pcsk_<n6>_<n63>"),
    ("WANDB_API_KEY", "<h40>"),
    ("ELEVENLABS_API_KEY", "sk_<h48>"),
    ("GOOGLE_API_KEY", "AIza<w35>"),
    ("GOOGLE_CLIENT_SECRET", "GOCSPX-<w28>"),
    ("GOOGLE_OAUTH_TOKEN", "ya29.<w140>"),
    ("AZURE_STORAGE_KEY", "<b76>+ASt<b6>=="),
    ("AZURE_CLIENT_SECRET", "<n3>8Q~<w34>"),
    ("AZURE_DEVOPS_PAT", "<n76>AZDO<n4>"),
    ("AZURE_OPENAI_API_KEY", "<n52>JQQJ99<n26>"),
    ("DIGITALOCEAN_TOKEN", "dop_v1_<h64>"),
    ("DIGITALOCEAN_OAUTH", "doo_v1_<h64>"),
    ("LINODE_TOKEN", "<h64>"),
    ("HCLOUD_TOKEN", "<n64>"),
    ("VULTR_API_KEY", "<A36>"),
    ("SCALEWAY_SECRET_KEY", "<U>"),
    ("FLY_API_TOKEN", "FlyV1 fm2_<b200>"),
    ("RENDER_API_KEY", "rnd_<n28>"),
    ("HEROKU_API_KEY", "HRKU-<U>"),
    ("HEROKU_API_KEY", "<U>"),
    ("VERCEL_TOKEN", "<n24>"),
    ("NETLIFY_AUTH_TOKEN", "nfp_<n36>"),
    ("RAILWAY_TOKEN", "<U>"),
    ("SUPABASE_ACCESS_TOKEN", "sbp_<h40>"),
    ("SUPABASE_SECRET_KEY", "sb_secret_<w22>_<w8>"),
    ("PLANETSCALE_TOKEN", "pscale_tkn_<w43>"),
    ("PLANETSCALE_PASSWORD", "pscale_pw_<w43>"),
    ("NEON_API_KEY", "napi_<a64>"),
    ("UPSTASH_REDIS_REST_TOKEN", "A<w2>AAI<w60>"),
    ("DATABRICKS_TOKEN", "dapi<h32>"),
    ("SNOWFLAKE_PASSWORD", "<n16>!"),
    ("CLOUDFLARE_API_TOKEN", "<w40>"),
    ("CLOUDFLARE_GLOBAL_API_KEY", "<h37>"),
    ("FASTLY_API_TOKEN", "<w32>"),
    ("TERRAFORM_TOKEN", "<n14>.atlasv1.<w67>"),
    ("PULUMI_ACCESS_TOKEN", "pul-<h40>"),
    ("VAULT_TOKEN", "hvs.<w95>"),
    ("CONSUL_HTTP_TOKEN", "<U>"),
    ("DOPPLER_TOKEN", "dp.st.prd.<n43>"),
    ("DOPPLER_TOKEN", "dp.pt.<n43>"),
    ("OP_SERVICE_ACCOUNT_TOKEN", "ops_eyJ<n300>"),
    ("INFISICAL_TOKEN", "st.<h24>.<h32>.<h32>"),
    ("STRIPE_SECRET_KEY", "sk_live_<n24>"),
    ("STRIPE_SECRET_KEY", "sk_live_51<n96>"),
    ("STRIPE_SECRET_KEY", "sk_test_51<n96>"),
    ("STRIPE_RESTRICTED_KEY", "rk_live_51<n96>"),
    ("STRIPE_WEBHOOK_SECRET", "whsec_<n32>"),
    ("PAYPAL_CLIENT_SECRET", "E<w79>"),
    ("SQUARE_ACCESS_TOKEN", "EAAA<w60>"),
    ("SQUARE_ACCESS_TOKEN", "sq0atp-<w22>"),
    ("SQUARE_SECRET", "sq0csp-<w43>"),
    ("BRAINTREE_TOKEN", "access_token$production$<a16>$<h32>"),
    ("ADYEN_API_KEY", "AQE<l1>hm<b100>-<b43>=-<b16>"),
    ("RAZORPAY_KEY_SECRET", "<n24>"),
    ("RAZORPAY_KEY_ID", "rzp_live_<n14>"),
    ("PLAID_SECRET", "<h30>"),
    ("PLAID_ACCESS_TOKEN", "access-production-<U>"),
    ("COINBASE_API_SECRET", "<w32>"),
    ("SHOPIFY_ACCESS_TOKEN", "shpat_<h32>"),
    ("SHOPIFY_SHARED_SECRET", "shpss_<h32>"),
    ("SHOPIFY_APP_TOKEN", "shpca_<h32>"),
    ("SLACK_BOT_TOKEN", "xoxb-<d12>-<d13>-<n24>"),
    ("SLACK_USER_TOKEN", "xoxp-<d12>-<d12>-<d13>-<h32>"),
    ("SLACK_APP_TOKEN", "xapp-1-A<A10>-<d13>-<h64>"),
    ("SLACK_WEBHOOK_URL", "https://hooks.slack.com/services/T<A8>/B<A10>/<n24>"),
    ("DISCORD_BOT_TOKEN", "MT<n24>.G<n5>.<w38>"),
    ("DISCORD_WEBHOOK", "https://discord.com/api/webhooks/<d19>/<w68>"),
    ("TELEGRAM_BOT_TOKEN", "<d10>:AA<w33>"),
    ("TWILIO_AUTH_TOKEN", "<h32>"),
    ("TWILIO_API_KEY", "SK<h32>"),
    ("SENDGRID_API_KEY", "SG.<w22>.<w43>"),
    ("MAILGUN_API_KEY", "key-<h32>"),
    ("MAILGUN_API_KEY", "<h32>-<h8>-<h8>"),
    ("MAILCHIMP_API_KEY", "<h32>-us21"),
    ("POSTMARK_SERVER_TOKEN", "<U>"),
    ("RESEND_API_KEY", "re_<n8>_<n24>"),
    ("BREVO_API_KEY", "xkeysib-<h64>-<n16>"),
    ("LOOPS_API_KEY", "<h32>"),
    ("CLERK_SECRET_KEY", "sk_live_<n42>"),
    ("AUTH0_CLIENT_SECRET", "<w64>"),
    ("OKTA_API_TOKEN", "00<w40>"),
    ("WORKOS_API_KEY", "sk_live_a2V5X<n70>"),
    ("STYTCH_SECRET", "secret-live-<w36>="),
    ("DATADOG_API_KEY", "<h32>"),
    ("DD_APP_KEY", "<h40>"),
    ("NEW_RELIC_LICENSE_KEY", "<h36>NRAL"),
    ("NEW_RELIC_API_KEY", "NRAK-<A27>"),
    ("SENTRY_AUTH_TOKEN", "sntryu_<h64>"),
    ("SENTRY_AUTH_TOKEN", "sntrys_eyJ<n120>=_<b43>"),
    ("GRAFANA_TOKEN", "glsa_<n32>_<h8>"),
    ("GRAFANA_CLOUD_TOKEN", "glc_eyJ<n120>"),
    ("HONEYCOMB_API_KEY", "hcaik_01<a24><a32>"),
    ("LOGTAIL_TOKEN", "<n24>"),
    ("ROLLBAR_ACCESS_TOKEN", "<h32>"),
    ("BUGSNAG_API_KEY", "<h32>"),
    ("PAGERDUTY_TOKEN", "u+<w18>"),
    ("POSTHOG_PERSONAL_API_KEY", "phx_<n47>"),
    ("AMPLITUDE_SECRET_KEY", "<h32>"),
    ("SEGMENT_WRITE_KEY", "<n32>"),
    ("MIXPANEL_SECRET", "<h32>"),
    ("LAUNCHDARKLY_SDK_KEY", "sdk-<U>"),
    ("STATSIG_SERVER_SECRET", "secret-<n43>"),
    ("LINEAR_API_KEY", "lin_api_<n40>"),
    ("NOTION_TOKEN", "secret_<n43>"),
    ("NOTION_TOKEN", "ntn_<d11><n35>"),
    ("AIRTABLE_API_KEY", "pat<n14>.<h64>"),
    ("ASANA_TOKEN", "2/<d16>/<d16>:<h32>"),
    ("ATLASSIAN_API_TOKEN", "ATATT3xFfGF0<w171>=<H8>"),
    ("BITBUCKET_APP_PASSWORD", "ATBB<n24><H8>"),
    ("FIGMA_TOKEN", "figd_<w40>"),
    ("CONTENTFUL_TOKEN", "CFPAT-<w43>"),
    ("SANITY_TOKEN", "sk<n178>"),
    ("DROPBOX_TOKEN", "sl.u.<w130>"),
    ("BOX_CLIENT_SECRET", "<n32>"),
    ("HUBSPOT_TOKEN", "pat-na1-<U>"),
    ("SALESFORCE_TOKEN", "00D<n12>!AQ<w94>"),
    ("INTERCOM_TOKEN", "dG9rOj<n53>="),
    ("ZENDESK_TOKEN", "<n40>"),
    ("TRELLO_TOKEN", "ATTA<h64><H8>"),
    ("MAPBOX_TOKEN", "sk.eyJ1Ijoi<w80>.<w22>"),
    ("ALGOLIA_ADMIN_KEY", "<h32>"),
    ("BUILDKITE_TOKEN", "bkua_<h40>"),
    ("CIRCLECI_TOKEN", "CCIPAT_<n22>_<h40>"),
    ("SONAR_TOKEN", "sqp_<h40>"),
    ("SONAR_TOKEN", "squ_<h40>"),
    ("SNYK_TOKEN", "<U>"),
    ("CODECOV_TOKEN", "<U>"),
    ("ARTIFACTORY_API_KEY", "AKCp<n69>"),
    ("NUGET_API_KEY", "oy2<a43>"),
    ("POSTMAN_API_KEY", "PMAK-<h24>-<h34>"),
    ("DYNATRACE_TOKEN", "dt0c01.<A24>.<A64>"),
    ("TAILSCALE_AUTHKEY", "tskey-auth-<n17>-<n32>"),
    ("AGE_KEY", "AGE-SECRET-KEY-1<r58>"),
    ("TWITTER_BEARER_TOKEN", "AAAAAAAAAAAAAAAAAAAAA<n80>%3D<n40>"),
    ("FACEBOOK_ACCESS_TOKEN", "EAA<n180>"),
];

const WORD: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE58: &str = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BECH32: &str = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";

/// A value of a format.
pub fn value(format: &str, random: &mut Random) -> String {
    let mut text = String::new();
    let mut rest = format;
    while let Some((head, tail)) = rest.split_once('<') {
        let (class, behind) = tail.split_once('>').unwrap_or((tail, ""));
        text.push_str(head);
        text.push_str(&part(class, random));
        rest = behind;
    }
    text + rest
}

/// A text with the parts of a format in it; other angle brackets stay.
pub fn value_or_text(template: &str, random: &mut Random) -> String {
    let is_class = |part: &str| {
        let (kind, count) = part.split_at_checked(1).unwrap_or_default();
        part == "U"
            || "dhHlaAmnwb2rcsq".contains(kind)
                && !count.is_empty()
                && count.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut text = String::new();
    let mut rest = template;
    while let Some((head, tail)) = rest.split_once('<') {
        text.push_str(head);
        match tail.split_once('>') {
            Some((class, behind)) if is_class(class) => {
                text.push_str(&part(class, random));
                rest = behind;
            }
            _ => {
                text.push('<');
                rest = tail;
            }
        }
    }
    text + rest
}

fn part(class: &str, random: &mut Random) -> String {
    let (kind, count) = class.split_at(1);
    let count: usize = count.parse().unwrap_or_default();
    match kind {
        "d" => random.text(DIGIT, count),
        "h" => random.text(HEX, count),
        "H" => random.text(HEX, count).to_ascii_uppercase(),
        "l" => random.text(LOWER, count),
        "a" => random.text(&format!("{LOWER}{DIGIT}"), count),
        "A" => random.text(&format!("{UPPER}{DIGIT}"), count),
        "m" => random.text(&format!("{UPPER}{LOWER}"), count),
        "n" => random.text(ALNUM, count),
        "w" => random.text(WORD, count),
        "b" => random.text(&format!("{ALNUM}+/"), count),
        "2" => random.text(BASE32, count),
        "r" => random.text(BECH32, count),
        "q" => random.text(BECH32, count).to_ascii_lowercase(),
        "s" => random.text(BASE58, count),
        "U" => random.uuid(),
        "c" => with_checksum(&random.text(ALNUM, count - 6)),
        _ => String::new(),
    }
}

/// What GitHub and npm give: random characters and their CRC32 in base 62.
fn with_checksum(body: &str) -> String {
    let mut crc = u32::MAX;
    for byte in body.bytes() {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    let mut value = !crc;
    let mut digits = Vec::new();
    for _ in 0..6 {
        digits.push(char::from(ALNUM.as_bytes()[(value % 62) as usize]));
        value /= 62;
    }
    digits.iter().rev().fold(body.to_owned(), |text, digit| text + &digit.to_string())
}

/// Beginnings of formats that have no one length.
const VARIED: [&str; 20] = [
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "dp.",
    "ops_",
    "glc_",
    "FlyV1",
    "pypi-",
    "ya29.",
    "ABSK",
    "hvs.",
    "sk-proj-",
    "sk-admin-",
    "whsec_",
    "glpat-",
    "EAA",
    "sk.eyJ",
    "AAAA",
    "sl.u.",
    "xai-",
];

/// Forms of a value with a prefix of its own that no such key has.
pub fn near(format: &str, value: &str, random: &mut Random) -> Vec<(&'static str, String)> {
    let prefix = format.split_once('<').map_or(0, |(prefix, _)| prefix.len());
    if prefix < 4 || value.contains("://") || value.len() < prefix + 16 {
        return Vec::new();
    }
    let mut odd = value.to_owned();
    let at = prefix + 3 + random.below(8);
    odd.replace_range(at..at + 1, "!");
    let mut misses = vec![
        ("odd sign", odd),
        ("all the same", value[..prefix].to_owned() + &"x".repeat(value.len() - prefix)),
        ("words", value[..prefix].to_owned() + "your-token-goes-here"),
        ("cut", value[..prefix + 8].to_owned() + "..."),
    ];
    if format.contains("<c") {
        let last = if value.ends_with('a') { "b" } else { "a" };
        misses.push(("checksum", value[..value.len() - 1].to_owned() + last));
    }
    if VARIED.iter().any(|varied| format.starts_with(varied)) {
        return misses;
    }
    misses.push(("half", value[..prefix + (value.len() - prefix) / 2].to_owned()));
    if !format.contains("<w") && format.matches('<').count() == 1 {
        misses.push(("one less", value[..value.len() - 1].to_owned()));
        misses.push(("one more", format!("{value}7")));
    }
    misses
}
