// Documentation sites that WebFetch reads without a question: written by their projects, nothing there is put up by users.

const hosts: ReadonlySet<string> = new Set(
  [
    // languages
    "docs.python.org peps.python.org packaging.python.org go.dev pkg.go.dev doc.rust-lang.org docs.rs kotlinlang.org",
    "docs.oracle.com ruby-doc.org docs.ruby-lang.org www.php.net docs.swift.org developer.apple.com en.cppreference.com",
    "learn.microsoft.com hexdocs.pm elixir-lang.org www.erlang.org docs.scala-lang.org docs.julialang.org ziglang.org",
    "clojure.org clojuredocs.org www.haskell.org dart.dev api.dart.dev www.lua.org perldoc.perl.org www.typescriptlang.org",
    // the web and JavaScript
    "developer.mozilla.org nodejs.org deno.com docs.deno.com bun.sh bun.com docs.npmjs.com html.spec.whatwg.org www.w3.org tc39.es",
    "react.dev legacy.reactjs.org nextjs.org vuejs.org nuxt.com angular.dev svelte.dev solidjs.com astro.build remix.run",
    "vite.dev vitest.dev jestjs.io playwright.dev webpack.js.org esbuild.github.io tailwindcss.com expressjs.com zod.dev",
    "biomejs.dev eslint.org prettier.io reactnative.dev docs.expo.dev www.electronjs.org threejs.org d3js.org",
    // Python
    "docs.djangoproject.com flask.palletsprojects.com fastapi.tiangolo.com docs.pydantic.dev numpy.org pandas.pydata.org",
    "scikit-learn.org matplotlib.org pytorch.org docs.pytorch.org www.tensorflow.org docs.pytest.org docs.sqlalchemy.org",
    "docs.astral.sh python-poetry.org requests.readthedocs.io docs.scipy.org jupyter.org",
    // other frameworks
    "guides.rubyonrails.org api.rubyonrails.org laravel.com symfony.com docs.spring.io spring.io docs.gradle.org maven.apache.org",
    "docs.flutter.dev api.flutter.dev docs.unity3d.com docs.godotengine.org",
    // data
    "www.postgresql.org dev.mysql.com mariadb.com www.sqlite.org redis.io www.mongodb.com docs.mongodb.com www.elastic.co",
    "graphql.org www.prisma.io duckdb.org kafka.apache.org spark.apache.org",
    // tools, systems, clouds
    "git-scm.com docs.github.com docs.gitlab.com docs.docker.com kubernetes.io helm.sh developer.hashicorp.com",
    "docs.ansible.com nginx.org httpd.apache.org prometheus.io grafana.com man7.org www.gnu.org www.kernel.org docs.kernel.org",
    "docs.aws.amazon.com cloud.google.com docs.cloud.google.com developers.google.com developers.cloudflare.com vercel.com",
    "docs.netlify.com docs.stripe.com www.rfc-editor.org datatracker.ietf.org json-schema.org semver.org cmake.org",
    "modelcontextprotocol.io docs.anthropic.com docs.claude.com code.claude.com platform.claude.com platform.openai.com",
  ].flatMap((line) => line.split(" ")),
);

/** True for a page of one of these sites on the usual port; the host must be equal, subdomains do not count. */
export const isDocumentationUrl = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port, username, password } = new URL(url);
  const isPlain = port === "" && username === "" && password === "";
  return (protocol === "https:" || protocol === "http:") && isPlain && hosts.has(hostname);
};
