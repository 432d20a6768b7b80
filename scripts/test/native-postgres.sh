#!/usr/bin/env bash
# A temporary PostgreSQL server with pgvector, for tests.
#
#   native-postgres.sh install         installs the packages and compiles pgvector; needs root on Debian
#   native-postgres.sh check           checks whether they are installed
#   native-postgres.sh start DIR PORT  creates a cluster in DIR, starts it on a local port and prints its URL
#   native-postgres.sh replica DIR PORT URL  the same with a streaming replica of the server at URL
#   native-postgres.sh stop DIR        stops the server immediately, like a crash
#   native-postgres.sh restart DIR     starts the server again on the same port
set -euo pipefail

pgvector_version=0.8.0
pgvector_sha256=867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0
cache=${RAGSTONE_CACHE:-$(dirname "$0")/../../node_modules/.cache/ragstone}

# the newest installed version
bin_folder() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1; }
has_pgvector() { [ -e "/usr/share/postgresql/$(basename "$(dirname "$1")")/extension/vector.control" ]; }

# runs a command as the user postgres if this is root, because the server refuses to run as root
as_postgres() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

check() {
  local bin
  bin=$(bin_folder)
  [ -n "$bin" ] && [ -x "$bin/initdb" ] && has_pgvector "$bin"
}

install() {
  local bin
  if check; then return; fi
  export DEBIAN_FRONTEND=noninteractive
  # keeps the package from creating and starting its own cluster
  if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
  fi
  apt-get -qq update
  apt-get -qq install -y --no-install-recommends postgresql-15 postgresql-server-dev-15 build-essential
  bin=$(bin_folder)
  if ! has_pgvector "$bin"; then install_pgvector "$bin"; fi
}

install_pgvector() {
  local archive="$cache/pgvector-$pgvector_version.tar.gz" mirror build
  mkdir -p "$cache"
  if ! echo "$pgvector_sha256  $archive" | sha256sum --check --status 2>/dev/null; then
    # the Debian mirror that this machine uses
    mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -v security | head -1)
    /usr/lib/apt/apt-helper download-file \
      "${mirror%/}/pool/main/p/pgvector/pgvector_$pgvector_version.orig.tar.gz" "$archive" "SHA256:$pgvector_sha256"
  fi
  build=$(mktemp -d)
  tar xf "$archive" -C "$build" --strip-components 1
  make -s -j2 -C "$build" OPTFLAGS="" PG_CONFIG="$1/pg_config"
  make -s -C "$build" install PG_CONFIG="$1/pg_config"
  rm -rf "$build"
}

start() {
  local folder=$1 bin
  bin=$(bin_folder)
  mkdir -p "$folder"
  if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
  as_postgres "$bin/initdb" --pgdata "$folder/data" --auth trust --username postgres --locale C.UTF-8 --no-sync >/dev/null
  serve "$folder" "$2"
}

# starts the server of the cluster in a folder
serve() {
  # no fsync: the data need not survive the test
  as_postgres "$(bin_folder)/pg_ctl" --pgdata "$1/data" --log "$1/log" --wait start --options \
    "-c listen_addresses=127.0.0.1 -c port=$2 -c unix_socket_directories=$1 -c fsync=off -c synchronous_commit=off" >/dev/null
  echo "postgres://postgres@127.0.0.1:$2/postgres"
}

replica() {
  local folder=$1 bin
  bin=$(bin_folder)
  mkdir -p "$folder"
  if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
  as_postgres "$bin/pg_basebackup" --dbname "$3" --pgdata "$folder/data" --write-recovery-conf --checkpoint fast --no-sync
  serve "$folder" "$2"
}

stop() {
  as_postgres "$(bin_folder)/pg_ctl" --pgdata "$1/data" --mode immediate --wait stop >/dev/null
}

restart() {
  as_postgres "$(bin_folder)/pg_ctl" --pgdata "$1/data" --log "$1/log" --mode fast --wait restart >/dev/null 2>&1
}

case ${1-} in
  check) check ;;
  install) install ;;
  start) start "$2" "$3" ;;
  replica) replica "$2" "$3" "$4" ;;
  stop) stop "$2" ;;
  restart) restart "$2" ;;
  *) echo "usage: $0 check | install | start DIR PORT | replica DIR PORT URL | stop DIR | restart DIR" >&2; exit 2 ;;
esac
