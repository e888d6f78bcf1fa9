// Prints the public names of Kotlin libraries by reflection, as the head of the table says.
// `java -cp JARS Names JAR PATTERN...` with the standard library, its reflection and each JAR whose classes match.
import java.io.*; import java.util.*; import java.util.jar.*; import java.lang.reflect.*;
import kotlin.reflect.*; import kotlin.jvm.internal.Reflection;
public class Names {
  static TreeMap<String, TreeMap<String,String>> classes = new TreeMap<>();
  static TreeMap<String, TreeMap<String,String>> functions = new TreeMap<>();
  static TreeMap<String, TreeMap<String,String>> extensions = new TreeMap<>();
  static String type(KType t) {
    if (t == null) return "";
    KClassifier c = t.getClassifier();
    if (!(c instanceof KClass)) return "";
    String q = ((KClass<?>) c).getQualifiedName();
    if (q == null) return "";
    if (t.toString().startsWith("kotlin.collections.Mutable")) q = t.toString().replaceAll("[<?!].*", "");
    if (q.equals("kotlin.Array") || q.startsWith("kotlin.Function") || q.equals("kotlin.Nothing")) return "";
    if (q.equals("kotlin.Unit")) return "-";
    return q;
  }
  static boolean hasReceiver(KType t) {
    for (java.lang.annotation.Annotation a : t.getAnnotations()) if (a.annotationType().getSimpleName().equals("ExtensionFunctionType")) return true;
    return t.toString().matches("(suspend )?[^(]*\\.\\(.*") ;
  }
  static String receiver(KCallable<?> f) {
    for (KParameter p : f.getParameters()) {
      KType t = p.getType();
      if (p.getKind() != KParameter.Kind.VALUE) continue;
      KClassifier c = t.getClassifier();
      if (!(c instanceof KClass)) continue;
      String q = ((KClass<?>) c).getQualifiedName();
      if (q == null || !(q.startsWith("kotlin.Function") || q.startsWith("kotlin.coroutines.SuspendFunction"))) continue;
      if (!hasReceiver(t) || t.getArguments().isEmpty()) continue;
      KType r = t.getArguments().get(0).getType();
      if (r == null) return "!?";
      String n = type(r);
      return "!" + (n.isEmpty() ? "?" : n);
    }
    return "";
  }
  static void put(Map<String,String> m, String name, String value) {
    if (!name.matches("\\w+")) return;
    String old = m.get(name);
    if (old == null) { m.put(name, value); return; }
    String[] a = (old+"!").split("!",-1), b = (value+"!").split("!",-1);
    String ty = a[0].equals(b[0]) ? a[0] : "";
    String rc = a[1].equals(b[1]) ? a[1] : a[1].isEmpty() ? b[1] : b[1].isEmpty() ? a[1] : "?";
    m.put(name, ty + (rc.isEmpty() ? "" : "!" + rc));
  }
  static String show(Map<String,String> m) {
    StringBuilder s = new StringBuilder();
    for (Map.Entry<String,String> e : m.entrySet()) { s.append(' ').append(e.getKey()); if (!e.getValue().isEmpty()) { if (!e.getValue().startsWith("!")) s.append(':'); s.append(e.getValue()); } }
    return s.toString();
  }
  static boolean visible(KVisibility v) { return v == KVisibility.PUBLIC || v == KVisibility.PROTECTED; }
  static void pkg(Class<?> c) {
    String p = c.getPackage().getName();
    Object k = Reflection.getOrCreateKotlinPackage(c);
    for (KCallable<?> f : ((KDeclarationContainer) k).getMembers()) try {
      if (!visible(f.getVisibility())) continue;
      boolean ext = false;
      for (KParameter q : f.getParameters()) ext |= q.getKind() == KParameter.Kind.EXTENSION_RECEIVER;
      put((ext ? extensions : functions).computeIfAbsent(p, x -> new TreeMap<>()), f.getName(), type(f.getReturnType()) + receiver(f));
    } catch (Throwable t) { System.err.println(c + " " + f + " " + t); }
  }
  static void one(Class<?> c) {
    KClass<?> k = Reflection.getOrCreateKotlinClass(c);
    one(k, k.getQualifiedName(), c);
  }
  static void one(KClass<?> k, String q, Class<?> c) {
    if (q == null || k.getVisibility() != null && !visible(k.getVisibility())) return;
    String p = c.getPackage().getName();
    String[] parts = q.split("\\."); int i = 0; while (i < parts.length && !Character.isUpperCase(parts[i].charAt(0))) i++;
    p = String.join(".", Arrays.copyOfRange(parts, 0, i)); String n = String.join(".", Arrays.copyOfRange(parts, i, parts.length));
    if (n.isEmpty()) return;
    TreeSet<String> bases = new TreeSet<>();
    for (KType t : k.getSupertypes()) { String b = type(t); if (b.equals("kotlin.Any")) continue; bases.add(b.isEmpty() ? "?" : b); }
    TreeMap<String,String> m = new TreeMap<>();
    for (KCallable<?> f : k.getMembers()) try { if (visible(f.getVisibility())) put(m, f.getName(), type(f.getReturnType()) + receiver(f)); } catch (Throwable t) { System.err.println(q + " " + t); }
    try { if (c.isEnum()) { for (Object o : c.getEnumConstants()) put(m, ((Enum<?>) o).name(), q); put(m, "values", ""); put(m, "valueOf", q); put(m, "entries", ""); } } catch (Throwable t) {}
    for (KClass<?> in : k.getNestedClasses()) {
      if (in.isCompanion()) for (KCallable<?> f : in.getMembers()) if (visible(f.getVisibility())) put(m, f.getName(), type(f.getReturnType()));
    }
    m.remove("equals"); m.remove("hashCode"); m.remove("toString");
    classes.computeIfAbsent(p, x -> new TreeMap<>()).put(n, (bases.isEmpty() ? "-" : String.join(",", bases)) + show(m));
  }
  public static void main(String[] a) throws Exception {
    Class<?>[] builtin = {Object.class, String.class, CharSequence.class, Number.class, Integer.class, Long.class, Short.class, Byte.class, Character.class, Float.class, Double.class, Boolean.class, Throwable.class, Comparable.class, Enum.class, Cloneable.class, java.lang.annotation.Annotation.class,
      Iterable.class, Iterator.class, Collection.class, List.class, Set.class, Map.class, Map.Entry.class, ListIterator.class, int[].class, long[].class, short[].class, byte[].class, char[].class, float[].class, double[].class, boolean[].class, Object[].class};
    for (Class<?> c : builtin) { KClass<?> k = Reflection.getOrCreateKotlinClass(c); one(k, k.getQualifiedName(), Object.class); }
    for (int i = 0; i < a.length; i += 2) {
      String want = a[i+1];
      JarFile j = new JarFile(a[i]);
      for (JarEntry e : Collections.list(j.entries())) {
        String n = e.getName();
        if (!n.endsWith(".class") || n.startsWith("META-INF") || !n.matches(want)) continue;
        n = n.substring(0, n.length() - 6).replace('/', '.');
        if (n.matches(".*\\.(internal|impl)\\..*") || n.matches(".*\\$\\d.*")) continue;
        try {
          Class<?> c = Class.forName(n, false, Names.class.getClassLoader());
          kotlin.Metadata md = c.getAnnotation(kotlin.Metadata.class);
          if (md == null) { if (Modifier.isPublic(c.getModifiers())) System.err.println("java " + n); continue; }
          if (md.k() == 2 || md.k() == 4) pkg(c);
          else if (md.k() == 1) one(c);
        } catch (Throwable t) { System.err.println(n + " " + t); }
      }
    }
    TreeSet<String> all = new TreeSet<>(classes.keySet()); all.addAll(functions.keySet()); all.addAll(extensions.keySet());
    for (String p : all) {
      System.out.println("== " + p);
      if (functions.containsKey(p)) System.out.println("fun -" + show(functions.get(p)));
      if (extensions.containsKey(p)) System.out.println("ext -" + show(extensions.get(p)));
      for (Map.Entry<String,String> e : classes.getOrDefault(p, new TreeMap<>()).entrySet()) System.out.println(e.getKey() + " " + e.getValue());
    }
  }
}
