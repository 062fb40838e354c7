//! Secrets: where they go, and where they never show.

use breakwater::config::{Config, Endpoint, parse};

use crate::accepted::FULL;
use crate::{SECRETS, config, secret, vars};

fn route(endpoints: &str) -> String {
    format!("[ROUTE_A]\nchain_id = 1\nendpoints = [{endpoints}]\n")
}

fn endpoint(keys: &str) -> Endpoint {
    let mut config = config(&route(&format!("{{ name = \"a\", {keys} }}")));
    assert_eq!(config.faults, [], "{keys}");
    config.routes.remove(0).endpoints.remove(0)
}

fn messages(config: &Config) -> Vec<&str> {
    let faults = config.faults.iter().map(|fault| fault.message.as_str());
    faults.chain(config.notices.iter().map(|notice| notice.message.as_str())).collect()
}

#[test]
fn a_whole_url_may_be_a_secret() {
    let endpoint = endpoint("url = \"${RPC_URL}\"");
    assert_eq!(endpoint.url, "https://hidden.example.net/v3/url-S3cret-abcdef");
    assert_eq!(endpoint.host, "hidden.example.net");
    assert_eq!(endpoint.secrets, [endpoint.url.as_str(), "url-S3cret-abcdef"]);
}

#[test]
fn what_is_to_be_redacted_is_collected_longest_first() {
    let endpoint = endpoint(
        "url = \"https://a.example/v2/${ALCHEMY_KEY}/pasted-literal-key?apikey=other-literal-key\", \
         headers = { Authorization = \"Bearer ${RPC_TOKEN}\", x-short = \"word\" }",
    );
    let expected = [
        "al-S3cret-key-0123456789",
        "tok-S3cret-9876543210",
        "pasted-literal-key",
        "other-literal-key",
    ];
    assert_eq!(endpoint.secrets, expected);
}

#[test]
fn values_are_trimmed_and_put_in_as_they_are() {
    let vars = vars(&route("{ name = \"a\", url = \"https://a.example/${K}/${K}/${L}\" }"));
    let secret = |name: &str| match name {
        "K" => Some(" k1\n".to_owned()),
        _ => Some("$&x".to_owned()),
    };
    let config = parse(&vars, &secret);
    assert_eq!(config.routes[0].endpoints[0].url, "https://a.example/k1/k1/$&x");
}

#[test]
fn an_unbound_secret_leaves_the_endpoint_out() {
    let text = "is not bound, so this endpoint is left out";
    for value in [None, Some(""), Some(" \n")] {
        let vars = vars(&route(
            "{ name = \"a\", url = \"https://a.example/${K}\", headers = { x-key = \"${L}\" } }, \
             { name = \"b\", url = \"https://b.example\" }",
        ));
        let config = parse(&vars, &|_| value.map(str::to_owned));
        assert_eq!(config.faults, []);
        let [a, b] = config.routes[0].endpoints.as_slice() else { panic!("two endpoints") };
        assert_eq!((a.bound, b.bound), (false, true));
        assert_eq!((a.url.as_str(), a.host.as_str(), a.headers.len()), ("", "", 0));
        let of_url = format!("ROUTE_A.endpoints[0].url: the secret K {text}");
        let of_header = format!("ROUTE_A.endpoints[0].headers.x-key: the secret L {text}");
        assert_eq!(messages(&config), [of_url.as_str(), of_header.as_str()]);
        assert_eq!(config.notices[0].route, "a");
        assert_eq!(config.notices[0].endpoint.as_deref(), Some("a"));
    }
}

#[test]
fn a_route_without_a_bound_endpoint_is_refused() {
    let vars = vars(&route("{ name = \"a\", url = \"https://a.example/${K}\" }"));
    let config = parse(&vars, &|_| None);
    assert_eq!(messages(&config), ["ROUTE_A.endpoints: has no entry whose secrets are all bound"]);
    assert_eq!(config.routes, []);
}

#[test]
fn a_bad_secret_is_named_by_its_key_only() {
    let cases = [
        ("url = \"${K}\"", "http://leak.example", "url: must be https"),
        ("url = \"${K}\"", "leak", "url: must be a whole URL"),
        ("url = \"https://a.example/${K}\"", "le ak", "url: holds a character"),
        ("url = \"https://a.example/${K}\"", "leak#", "url: must not have a #fragment"),
        (
            "url = \"https://a.example\", headers = { x = \"${K}\" }",
            "le\r\nak",
            "headers.x: is not a valid header value",
        ),
    ];
    for (keys, value, message) in cases {
        let vars = vars(&route(&format!("{{ name = \"a\", {keys} }}")));
        let config = parse(&vars, &|_| Some(value.to_owned()));
        let [found] = messages(&config)[..] else { panic!("one message") };
        assert!(found.starts_with(&format!("ROUTE_A.endpoints[0].{message}")), "{found}");
        assert!(!found.contains("ak"), "{found}");
    }
}

#[test]
fn loopback_may_be_http_and_addresses_are_noticed() {
    let loopback = [
        "http://localhost:8545",
        "http://127.0.0.1:1/x",
        "http://[::1]:8545",
        "http://a.localhost",
    ];
    for url in loopback {
        let config = config(&route(&format!("{{ name = \"a\", url = \"{url}\" }}")));
        assert_eq!(messages(&config), Vec::<&str>::new(), "{url}");
    }
    let addresses = ["https://10.0.0.1", "https://[2001:db8::1]:8545/"];
    for url in addresses {
        let config = config(&route(&format!("{{ name = \"a\", url = \"{url}\" }}")));
        let message = "ROUTE_A.endpoints[0].url: IP-literal URLs work only locally";
        assert_eq!((messages(&config), config.routes.len()), (vec![message], 1), "{url}");
    }
    assert_eq!(endpoint("url = \"http://[::1]:8545\"").host, "[::1]");
    assert_eq!(endpoint("url = \"https://RPC.Example.org:443?k=1\"").host, "rpc.example.org");
}

#[test]
fn debug_output_shows_no_secret() {
    let shown = format!("{:?}", config(FULL));
    assert!(shown.contains("alchemy") && shown.contains("trip_after"), "{shown}");
    let values = SECRETS.iter().flat_map(|(_, value)| value.split(", "));
    for value in values.chain(["example.com", "client-one"]) {
        assert!(!shown.contains(value), "{value} in {shown}");
    }
    assert_eq!(secret("CLIENT_KEYS").as_deref(), Some("client-one, client-two,,"));
}
