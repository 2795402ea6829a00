-- needs 0.1.0

-- What gateways compare after they were disconnected. Each change raises a number in its own transaction.
CREATE TABLE plugboard.revisions (
  kind text NOT NULL,
  key text NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (kind, key)
);

CREATE TABLE plugboard.people (
  id uuid PRIMARY KEY,
  issuer text NOT NULL,
  subject text NOT NULL,
  name text,
  email text,
  groups text NOT NULL,
  role text NOT NULL CHECK (role IN ('person', 'auditor', 'administrator')),
  created_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz,
  disabled_at timestamptz,
  UNIQUE (issuer, subject)
);

CREATE TABLE plugboard.tokens (
  id uuid PRIMARY KEY,
  person text NOT NULL,
  name text NOT NULL,
  sha256 bytea NOT NULL UNIQUE CHECK (length(sha256) = 32),
  scopes text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX ON plugboard.tokens (person);

-- Only added to. The newest version applies.
CREATE TABLE plugboard.policies (
  revision bigint PRIMARY KEY,
  document text NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE plugboard.servers (
  name text PRIMARY KEY,
  definition text NOT NULL,
  enabled boolean NOT NULL,
  revision bigint NOT NULL,
  approved_hash text,
  approved_by text,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Keys that protect everything else. `wrapped` is encrypted with a key that is not in the database.
CREATE TABLE plugboard.key_ring (
  id uuid PRIMARY KEY,
  wrapped_by text NOT NULL,
  wrapped bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Sealed values: `data_key` encrypts `sealed`, and is itself encrypted with the key `key_id` of the ring.
CREATE TABLE plugboard.credentials (
  id bytea PRIMARY KEY,
  person text NOT NULL,
  namespace text NOT NULL,
  key text NOT NULL,
  generation uuid NOT NULL,
  key_id uuid NOT NULL,
  data_key bytea NOT NULL,
  sealed bytea NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX ON plugboard.credentials (person, namespace);
CREATE INDEX ON plugboard.credentials (key_id);

CREATE TABLE plugboard.approvals (
  id bytea PRIMARY KEY,
  person text NOT NULL,
  approval text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON plugboard.approvals (person);

CREATE TABLE plugboard.pins (
  person text NOT NULL,
  fingerprint text NOT NULL,
  body bytea NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (person, fingerprint)
);

-- Equal lists of several people are stored once.
CREATE TABLE plugboard.catalog_bodies (
  hash bytea PRIMARY KEY,
  body bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE plugboard.catalogs (
  person text NOT NULL,
  fingerprint text NOT NULL,
  hash bytea NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (person, fingerprint)
);
CREATE INDEX ON plugboard.catalogs (hash);

CREATE TABLE plugboard.tickets (
  sha256 bytea PRIMARY KEY CHECK (length(sha256) = 32),
  kind text NOT NULL,
  person text NOT NULL,
  key_id uuid NOT NULL,
  data_key bytea NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX ON plugboard.tickets (person);
CREATE INDEX ON plugboard.tickets (expires_at);
CREATE INDEX ON plugboard.tickets (key_id);

CREATE TABLE plugboard.call_approvals (
  id uuid PRIMARY KEY,
  person text NOT NULL,
  server text NOT NULL,
  tool text NOT NULL,
  request_hash text NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'allowed', 'denied', 'used')),
  decided_by text,
  key_id uuid NOT NULL,
  data_key bytea NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX call_approvals_open ON plugboard.call_approvals (person, request_hash) WHERE state <> 'used';
CREATE INDEX ON plugboard.call_approvals (expires_at);
CREATE INDEX ON plugboard.call_approvals (key_id);

CREATE TABLE plugboard.sessions (
  id text PRIMARY KEY,
  person text NOT NULL,
  endpoint text NOT NULL,
  owner uuid NOT NULL,
  owner_epoch bigint NOT NULL,
  epoch bigint NOT NULL,
  key_id uuid NOT NULL,
  data_key bytea NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON plugboard.sessions (person);
CREATE INDEX ON plugboard.sessions (seen_at);
CREATE INDEX ON plugboard.sessions (key_id);

CREATE TABLE plugboard.tasks (
  id text PRIMARY KEY,
  person text NOT NULL,
  server text NOT NULL,
  status text NOT NULL,
  key_id uuid NOT NULL,
  data_key bytea NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX ON plugboard.tasks (person);
CREATE INDEX ON plugboard.tasks (expires_at);
CREATE INDEX ON plugboard.tasks (key_id);

-- Numbers of leases never repeat, so a process that lost a lease is always recognized.
CREATE SEQUENCE plugboard.fences;
CREATE TABLE plugboard.leases (
  key text PRIMARY KEY,
  holder text NOT NULL,
  fence bigint NOT NULL,
  until timestamptz NOT NULL
);
CREATE INDEX ON plugboard.leases (until);

CREATE TABLE plugboard.nodes (
  id uuid PRIMARY KEY,
  epoch bigint NOT NULL,
  version text NOT NULL,
  address text,
  draining boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);

-- One chain per node and day. Each entry's hash covers the one before it; each chain's `mac` covers the chain before it.
CREATE TABLE plugboard.audit_chains (
  number bigint PRIMARY KEY,
  chain uuid NOT NULL UNIQUE,
  day date NOT NULL,
  node uuid NOT NULL,
  key_id uuid NOT NULL,
  mac bytea NOT NULL,
  last_position bigint NOT NULL DEFAULT 0,
  last_hash bytea NOT NULL,
  last_mac bytea NOT NULL,
  removed_mac bytea,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON plugboard.audit_chains (day);

CREATE TABLE plugboard.audit (
  day date NOT NULL,
  chain uuid NOT NULL,
  position bigint NOT NULL,
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  person text,
  server text,
  item text,
  outcome text NOT NULL,
  entry text NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (day, chain, position)
) PARTITION BY RANGE (day);
CREATE INDEX ON plugboard.audit (at);
CREATE INDEX ON plugboard.audit (person, at) WHERE person IS NOT NULL;

-- Run with the rights of the role that owns the tables, so that gateways can use a role that only reads and writes rows.
CREATE FUNCTION plugboard.create_audit_day(wanted date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  partition text := 'audit_' || to_char(wanted, 'YYYYMMDD');
BEGIN
  IF to_regclass('plugboard.' || partition) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('plugboard.create_audit_day', 0));
  IF to_regclass('plugboard.' || partition) IS NOT NULL THEN RETURN; END IF;
  -- Unlike CREATE TABLE ... PARTITION OF, this does not wait for queries that read the audit log.
  EXECUTE format('CREATE TABLE plugboard.%I (LIKE plugboard.audit)', partition);
  EXECUTE format(
    'ALTER TABLE plugboard.audit ATTACH PARTITION plugboard.%I FOR VALUES FROM (%L) TO (%L)', partition, wanted, wanted + 1);
END $$;

CREATE FUNCTION plugboard.remove_audit_day(unwanted date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  partition text := 'audit_' || to_char(unwanted, 'YYYYMMDD');
BEGIN
  IF unwanted >= (now() AT TIME ZONE 'UTC')::date OR to_regclass('plugboard.' || partition) IS NULL THEN RETURN false; END IF;
  EXECUTE format('DROP TABLE plugboard.%I', partition);
  RETURN true;
END $$;

REVOKE ALL ON FUNCTION plugboard.create_audit_day(date), plugboard.remove_audit_day(date) FROM PUBLIC;
