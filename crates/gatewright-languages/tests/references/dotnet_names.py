"""Writes the tables of .NET names: members.txt, desktop.txt and types.txt.

Usage: dotnet_names.py REFERENCE_FOLDER... ASSEMBLIES come from the targeting packs of .NET and
ASP.NET Core (ref/netX/*.dll) and from the 4.8-api folder of Mono; needs the package `dnfile`.
Public and protected names only. testing.txt holds the public types of test packages and was
written by hand from their documentation and sources.
"""
import collections
import glob
import logging
import sys

import dnfile

logging.disable(logging.CRITICAL)
types={} # (ns,name)-> dict
ext=collections.defaultdict(set)
def clean(n): return n.split('`')[0]
def run(files,tag):
    for f in files:
        try: pe=dnfile.dnPE(f,clr_lazy_load=False)
        except Exception as e: print(f,e,file=sys.stderr); continue
        if not pe.net or not pe.net.mdtables or not pe.net.mdtables.TypeDef: continue
        md=pe.net.mdtables
        td=md.TypeDef
        full={}
        encl={}
        if md.NestedClass:
            for r in md.NestedClass: encl[r.NestedClass.row_index]=r.EnclosingClass.row_index
        impl=collections.defaultdict(list)
        def tn(ref):
            if ref is None or ref.row is None: return None
            row=ref.row
            if ref.table.name in('TypeDef','TypeRef'):
                return (str(row.TypeNamespace),clean(str(row.TypeName)))
            if ref.table.name=='TypeSpec':
                sig=row.Signature.value if hasattr(row.Signature,'value') else bytes(row.Signature)
                # GENERICINST 0x15, CLASS 0x12/VALUETYPE 0x11, coded token
                if len(sig)>3 and sig[0]==0x15:
                    b=sig[2:]
                    if b[0]&0x80==0: v=b[0]
                    elif b[0]&0xC0==0x80: v=((b[0]&0x3f)<<8)|b[1]
                    else: v=((b[0]&0x1f)<<24)|(b[1]<<16)|(b[2]<<8)|b[3]
                    t,i=v&3,v>>2
                    tab=[md.TypeDef,md.TypeRef,md.TypeSpec][t]
                    if t<2:
                        r=tab.rows[i-1]; return (str(r.TypeNamespace),clean(str(r.TypeName)))
            return None
        if md.InterfaceImpl:
            for r in md.InterfaceImpl:
                t=tn(r.Interface)
                if t: impl[r.Class.row_index].append(t)
        extm=set()
        if md.CustomAttribute:
            for r in md.CustomAttribute:
                if r.Parent.table and r.Parent.table.name=='MethodDef':
                    t=r.Type
                    try:
                        cls=t.row.Class.row
                        if str(cls.TypeName)=='ExtensionAttribute': extm.add(r.Parent.row_index)
                    except Exception: pass
        props=collections.defaultdict(list)
        if md.PropertyMap:
            for r in md.PropertyMap:
                props[r.Parent.row_index]+= [str(p.row.Name) for p in r.PropertyList]
        evs=collections.defaultdict(list)
        if md.EventMap:
            for r in md.EventMap: evs[r.Parent.row_index]+=[str(p.row.Name) for p in r.EventList]
        for i,t in enumerate(td.rows,1):
            fl=t.Flags
            vis=fl.tdPublic or fl.tdNestedPublic or fl.tdNestedFamily or fl.tdNestedFamORAssem
            if not vis: continue
            name=clean(str(t.TypeName)); ns=str(t.TypeNamespace); o=i
            chain=[name]
            ok=True
            while o in encl:
                o=encl[o]; r=td.rows[o-1]
                chain.insert(0,clean(str(r.TypeName))); ns=str(r.TypeNamespace)
                if not (r.Flags.tdPublic or r.Flags.tdNestedPublic or r.Flags.tdNestedFamily): ok=False
            if not ok or name.startswith('<'): continue
            key=(ns,'.'.join(chain))
            d=types.setdefault(key,{'b':set(),'m':set(),'tag':set()})
            d['tag'].add(tag)
            if len(chain)>1: types.setdefault((ns,'.'.join(chain[:-1])),{'b':set(),'m':set(),'tag':set()})['m'].add(name)
            b=tn(t.Extends)
            if b: d['b'].add(b[0]+'.'+b[1] if b[0] else b[1])
            for b in impl[i]: d['b'].add(b[0]+'.'+b[1])
            for m in t.MethodList:
                r=m.row
                if not (r.Flags.mdPublic or r.Flags.mdFamily or r.Flags.mdFamORAssem): continue
                n=str(r.Name)
                if n.startswith(('.','get_','set_','add_','remove_','op_')) or '.' in n or '<' in n: continue
                d['m'].add(n)
                if m.row_index in extm: ext[n].add(ns)
            for m in t.FieldList:
                r=m.row
                if r.Flags.fdPublic or r.Flags.fdFamily or r.Flags.fdFamORAssem:
                    n=str(r.Name)
                    if n!='value__': d['m'].add(n)
            for n in props[i]+evs[i]:
                if '.' not in n: d['m'].add(n)

for folder in sys.argv[1:]:
    tag = 'mono' if '4.8-api' in folder else 'net'
    run(sorted(glob.glob(folder + '/*.dll')), tag)
OBJ={'Equals','GetHashCode','ToString','GetType','ReferenceEquals','MemberwiseClone','Finalize'}
FULL=('System','System.Collections','System.Collections.Generic','System.Collections.Concurrent','System.Collections.ObjectModel','System.Collections.Specialized','System.Collections.Immutable','System.Collections.Frozen','System.IO','System.IO.Compression','System.IO.Pipelines','System.Text','System.Text.Json','System.Text.Json.Nodes','System.Text.Json.Serialization','System.Text.RegularExpressions','System.Linq','System.Linq.Expressions','System.Threading','System.Threading.Tasks','System.Threading.Channels','System.Diagnostics','System.Diagnostics.Contracts','System.Runtime.CompilerServices','System.Runtime.InteropServices','System.Net','System.Net.Http','System.Net.Sockets','System.Reflection','System.Globalization','System.Xml','System.Xml.Linq','System.Xml.Serialization','System.Xml.XPath','System.ComponentModel','System.ComponentModel.DataAnnotations','System.Data','System.Runtime.Serialization','System.Buffers','System.Dynamic','System.Security','System.Resources','System.Timers','System.CodeDom.Compiler','System.Windows.Forms','System.Drawing',
'Microsoft.Extensions.DependencyInjection','Microsoft.Extensions.Logging','Microsoft.Extensions.Options','Microsoft.Extensions.Configuration','Microsoft.Extensions.Hosting')
MONO_ROOTS=('System','Microsoft.Win32','Microsoft.CSharp','Microsoft.VisualBasic','Microsoft.Build','Mono.Unix','Mono.Cecil')
def keep(ns,v):
    if v['tag']&{'net','asp'}: return True
    return any(ns==r or ns.startswith(r+'.') for r in MONO_ROOTS)
byns=collections.defaultdict(dict)
for (ns,n),v in types.items():
    if ns and keep(ns,v) and v['tag']: byns[ns][n]=v
full=[];names=[]
out=[]
for ns in sorted(byns):
    out.append('@'+ns)
    bare=[]
    for n,v in sorted(byns[ns].items()):
        if '.' in n:
            outer,inner=n.rsplit('.',1)
            if ns not in FULL: continue
        if ns in FULL and not(v['tag']=={'mono'} and False):
            b=sorted({x.split('.')[-1] for x in v['b']}-{'Object','ValueType','MulticastDelegate'})
            if 'MulticastDelegate' in {x.split('.')[-1] for x in v['b']}: b=['MulticastDelegate']; m=[]
            elif 'Enum' in b: b=['Enum']; m=sorted(v['m'])
            else: m=sorted(v['m']-OBJ)
            # members that a base has already
            out.append(n.split('.')[-1]+(':'+','.join(b) if b else ':')+(' '+' '.join(m) if m else ''))
        else: bare.append(n)
    if bare: out.append('~'+' '.join(sorted(bare)))

h='# Public names of the .NET 10 and ASP.NET Core 10 reference assemblies and the .NET Framework 4.8 ones of Mono;\n# made by tests/references/dotnet_names.py. Lines: @namespace, Type:bases members, ~types without members, +extension methods.\n'
cur=None;A=[];B=[];pa=pb=None
for l in out:
    if l[0]=='@': cur=l
    elif l[0]=='~':
        B+= [cur] if pb!=cur else []; pb=cur
        line='~'
        for w in l[1:].split(' '):
            if len(line)+len(w)>180: B.append(line.rstrip()); line='~'
            line+=w+' '
        B.append(line.rstrip())
    else:
        A+= [cur] if pa!=cur else []; pa=cur
        A.append(l)
line='+'
for w in sorted(ext):
    if len(line)+len(w)>180: B.append(line.rstrip()); line='+'
    line+=w+' '
B.append(line.rstrip())

D=[];C=[];cur=None
for l in A:
    if l[0]=='@': cur=l
    (D if cur in('@System.Windows.Forms','@System.Drawing') else C).append(l)
open('members.txt','w').write(h+'\n'.join(C)+'\n'); open('desktop.txt','w').write(h+'\n'.join(D)+'\n'); open('types.txt','w').write(h+'\n'.join(B)+'\n')

