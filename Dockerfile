# Kiln in one image: API, worker and admin command, LibreOffice, pandoc, Chromium, ffmpeg and the fonts.
# It runs as an ordinary user and asks for no privilege: engines are confined by Landlock and seccomp, which
# an ordinary container allows. `npm run prove-image` builds and uses it without Docker.

FROM debian:trixie-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends binutils ca-certificates ffmpeg gcc libc6-dev libreofficekit-dev make nodejs npm \
 && rm -rf /var/lib/apt/lists/*
COPY scripts/setup/debian-packages.mjs /opt/
RUN node --eval "import('/opt/debian-packages.mjs').then(({ imagePackages }) => console.log(imagePackages.join('\n')))" > /opt/packages
WORKDIR /opt/kiln
COPY package.json package-lock.json tsconfig.json ./
COPY packages packages
COPY scripts/setup/postgres-libraries.mjs scripts/setup/
RUN make -C packages/converter/native && node packages/converter/native/stub-libraries/make.mjs
# What builds the console is not needed to serve it. Debian's npm loses the link to the runtime among the packages of
# other platforms, and makes it again in the rebuild.
RUN npm ci --no-audit --no-fund --ignore-scripts \
 && npm rebuild --ignore-scripts \
 && node_modules/.bin/node node_modules/vite/bin/vite.js build --logLevel warn packages/console \
 && node_modules/.bin/node packages/pdf/bundle.mjs \
 && node_modules/.bin/node packages/converter/sandboxed-programs/bundle.mjs \
 && node_modules/.bin/node packages/server/bundle.mjs \
 && npm prune --no-save --omit=dev --no-audit --no-fund --ignore-scripts \
 && npm rebuild --ignore-scripts \
 && node_modules/.bin/node --eval "import('./scripts/setup/postgres-libraries.mjs').then((found) => found.linkPostgresLibraries('.'))"

FROM debian:trixie-slim
# bubblewrap is used where the container may make namespaces; elsewhere Landlock takes its place.
# The base image may be older than the last security updates; the build fails where any is still missing.
COPY --from=build /opt/packages /opt/packages
RUN apt-get update \
 && xargs apt-get install -y --no-install-recommends < /opt/packages \
 && apt-get upgrade -y \
 && ! apt-get upgrade --simulate | grep '^Inst' \
 && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --user-group --no-create-home --home-dir /var/lib/kiln --shell /usr/sbin/nologin kiln \
 && install -d -o kiln -g kiln -m 0711 /var/lib/kiln
COPY --from=build /opt/kiln /opt/kiln
RUN /opt/kiln/node_modules/.bin/node /opt/kiln/packages/converter/fonts/build.ts \
 && FONTCONFIG_FILE=/opt/kiln/packages/converter/fonts/build/fonts.conf fc-cache -f /opt/kiln/packages/converter/fonts/build/fonts
COPY deploy/docker/kiln /usr/local/bin/kiln

ENV KILN_HOST=0.0.0.0 \
    KILN_DATA_DIR=/var/lib/kiln \
    NODE_COMPILE_CACHE=/var/lib/kiln/compile-cache
WORKDIR /var/lib/kiln
USER 10001:10001
EXPOSE 8080
# tini takes note of the end of engines whose parent was killed, and passes signals on.
ENTRYPOINT ["/usr/bin/tini", "--", "kiln"]
# Everything in one container, with a private PostgreSQL in /var/lib/kiln; `api`, `worker` and `admin` are the parts.
CMD ["all"]
