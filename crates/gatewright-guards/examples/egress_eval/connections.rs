//! Connection strings: the password must go, the rest must stay.

use crate::random::Random;

/// The text before the password and behind it.
type Around = (&'static str, &'static str);

const AROUND: [Around; 58] = [
    ("postgres://app:", "@db.prod.internal:5432/main"),
    ("postgresql://app:", "@10.0.0.5/main?sslmode=require"),
    ("postgresql+psycopg2://app:", "@db/main"),
    ("postgresql+asyncpg://app:", "@db:5432/main"),
    ("mysql://root:", "@127.0.0.1:3306/shop"),
    ("mysql+pymysql://root:", "@db/shop?charset=utf8"),
    ("mariadb://root:", "@db/shop"),
    ("mongodb://admin:", "@m0.host:27017,m1.host:27017/x?replicaSet=rs0"),
    ("mongodb+srv://admin:", "@cluster0.ab1cd.mongodb.net/test"),
    ("redis://:", "@cache.host:6379/0"),
    ("rediss://default:", "@cache.host:6380"),
    ("amqp://svc:", "@mq.host:5672/vhost"),
    ("amqps://svc:", "@mq.host/vhost"),
    ("kafka://svc:", "@broker:9092"),
    ("nats://svc:", "@nats.host:4222"),
    ("mqtt://dev:", "@iot.host:1883"),
    ("ftp://user:", "@files.host/pub"),
    ("sftp://user:", "@files.host:22/x"),
    ("ssh://deploy:", "@host.example.net"),
    ("smtp://mailer:", "@smtp.host:587"),
    ("imaps://me:", "@imap.host"),
    ("ldap://cn=admin:", "@ldap.host:389/dc=x"),
    ("ldaps://admin:", "@ldap.host"),
    ("http://proxy:", "@proxy.host:3128"),
    ("https://me:", "@git.host/org/repo.git"),
    ("git+https://me:", "@git.host/org/repo.git"),
    ("cassandra://c:", "@cass.host:9042/ks"),
    ("clickhouse://default:", "@ch.host:9000/db"),
    ("cockroachdb://root:", "@crdb:26257/bank"),
    ("couchbase://u:", "@cb.host/bucket"),
    ("elasticsearch://elastic:", "@es.host:9200"),
    ("https://elastic:", "@es.host:9200/_cluster"),
    ("influxdb://u:", "@influx:8086/m"),
    ("neo4j+s://neo4j:", "@graph.host:7687"),
    ("bolt://neo4j:", "@graph.host:7687"),
    ("snowflake://u:", "@acct/db/schema?warehouse=wh"),
    ("redshift+psycopg2://u:", "@rs.amazonaws.com:5439/dev"),
    ("oracle+cx_oracle://u:", "@orahost:1521/?service_name=x"),
    ("mssql+pyodbc://sa:", "@sql.host/db?driver=ODBC+Driver+17"),
    ("sqlserver://sa:", "@sql.host:1433?database=m"),
    ("trino://u:", "@trino:8443/hive"),
    ("hive://u:", "@hive:10000/default"),
    ("rtsp://cam:", "@10.1.1.7:554/stream"),
    ("jdbc:postgresql://h:5432/db?user=app&password=", "&ssl=true"),
    ("jdbc:mysql://h/db?user=app&password=", ""),
    ("jdbc:mysql://app:", "@h:3306/db"),
    ("jdbc:sqlserver://h:1433;databaseName=x;user=sa;password=", ";encrypt=true"),
    ("jdbc:oracle:thin:scott/", "@//orahost:1521/orcl"),
    ("jdbc:oracle:thin:scott/", "@orahost:1521:orcl"),
    ("jdbc:snowflake://a.snowflakecomputing.com/?user=u&password=", "&db=x"),
    ("Server=tcp:s.host,1433;Database=db;User ID=sa;Password=", ";Encrypt=True;"),
    ("Data Source=s;Initial Catalog=db;User Id=sa;Pwd=", ";"),
    ("Driver={PostgreSQL Unicode};Server=h;Port=5432;Uid=u;Pwd=", ";Database=d;"),
    ("DSN=mydsn;UID=u;PWD=", ""),
    ("host=h port=5432 dbname=d user=u password=", " sslmode=disable"),
    ("root:", "@tcp(db.host:3306)/shop?parseTime=true"),
    ("u:", "@unix(/tmp/mysql.sock)/shop"),
    ("sqlplus scott/", "@orcl"),
];

/// A text with a password, and what stands before and behind it.
pub struct Connection {
    pub text: String,
    pub before: String,
    pub after: String,
    pub secret: String,
}

/// Every form in a few frames.
pub fn connections(random: &mut Random, rounds: usize) -> Vec<Connection> {
    let frames: [Around; 12] = [
        ("", "\n"),
        ("DATABASE_URL=", "\n"),
        ("DATABASE_URL=\"", "\"\n"),
        ("url: ", "\n"),
        ("{\"url\": \"", "\"}\n"),
        ("{\"t\":\"url=\\\"", "\\\"\"}\n"),
        ("db = connect('", "')\n"),
        ("+dsn = \"", "\"\n"),
        ("    12\tdsn: '", "'\n"),
        ("2026-11-15 ERROR cannot reach ", " (timeout)\n"),
        ("const url = `", "`;\n"),
        ("<add connectionString=\"", "\" />\n"),
    ];
    let mut all = Vec::new();
    for round in 0..rounds {
        for (before, after) in AROUND {
            let (open, close) = frames[(round + all.len()) % frames.len()];
            let secret = random.password();
            all.push(Connection {
                text: format!("{open}{before}{secret}{after}{close}"),
                before: format!("{open}{before}"),
                after: format!("{after}{close}"),
                secret,
            });
        }
    }
    all
}
